# One orbit: displacement and velocity over time and place, side by side.

#--- data
${{name}} << END
#--- frame
set border linewidth 0.6
set tics scale 0.6 front
unset key
set palette defined (0 '#053061', 1 '#2166AC', 2 '#4393C3', 3 '#92C5DE', 4 '#F7F7F7', 5 '#F4A582', 6 '#D6604D', 7 '#B2182B', 8 '#67001F')
set format '%.6g'
set xrange [0:{{period %.7g}}]
set yrange [{{low %.7g}}:{{high %.7g}}]
set xlabel 't [s]' offset 0, 0.4
set ylabel 'x [m]' offset 0.6, 0
set tmargin at screen 0.76
set bmargin at screen 0.15
set label 1 {{title 76}} at screen 0.085, screen 0.955 left font ',10'
set label 3 'omega/omega_1 = {{ratio %.4g}}, E/E_1 = {{energy %.4g}}, T = {{period %.5g}} s; dark: in contact' noenhanced at screen 0.085, screen 0.885 left textcolor rgb '#555555'
#--- contact
set object {{number %d}} rectangle from first {{start %.7g}}, graph 1.0 to first {{end %.7g}}, graph 1.045 noclip fillstyle solid noborder fillcolor rgb '#444444' front
set object {{shade %d}} rectangle from first {{start %.7g}}, graph 0 to first {{end %.7g}}, graph 1 fillstyle transparent solid 0.12 noborder fillcolor rgb '#000000' front
#--- begin
set multiplot
#--- panel
set lmargin at screen {{left %g}}
set rmargin at screen {{right %g}}
set cbrange [{{least %.6g}}:{{most %.6g}}]
set label 2 {{label 40}} at graph 0, graph 1.09 left
plot ${{name}} using 1:2:3 with image notitle
unset label 1
unset label 3
#--- end
unset multiplot
set output
