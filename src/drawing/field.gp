# A mesh at a few times, a panel each, coloured by one scale.

#--- fill
$fill_{{panel %d}} << END
#--- edges
$edges_{{panel %d}} << END
#--- frame
set border linewidth 0.6
set tics scale 0.6
unset key
unset colorbox
set xrange [{{x_low %.9g}}:{{x_high %.9g}}]
set yrange [{{y_low %.9g}}:{{y_high %.9g}}]
# viridis, of even lightness: read alike by the colour-blind and in grey
set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 '#5EC962', 7 '#ADDC30', 8 '#FDE725')
set cbrange [{{least %.9g}}:{{most %.9g}}]
set label 1 {{title 76}} at screen {{title_x %g}}, screen {{title_y %g}} left font ',10'
#--- deformation
set label 2 'displacements times {{deform %g}}' at screen {{x %g}}, screen {{y %g}} right textcolor rgb '#666666'
#--- begin
set multiplot
#--- place
set lmargin at screen {{left %.6f}}
set rmargin at screen {{right %.6f}}
set tmargin at screen {{top %.6f}}
set bmargin at screen {{bottom %.6f}}
set label 3 't = {{t %.5g}} s' at graph 0, graph 1 offset 0, 0.6 left
#--- x axis
set format x '%.6g'
set xlabel {{label 40}} offset 0, 0.3
#--- no x axis
set format x ''
set xlabel '' offset 0, 0.3
#--- y axis
set format y '%.6g'
set ylabel {{label 40}} offset 0.8, 0
#--- no y axis
set format y ''
set ylabel '' offset 0.8, 0
#--- color bar
set colorbox vertical user origin screen {{left %g}}, screen {{bottom %g}} size screen {{width %g}}, screen {{height %g}}
set format cb '%.6g'
set label 4 {{label 40}} at screen {{label_x %g}}, screen {{middle %g}} center rotate by 90
#--- filled
$fill_{{panel %d}} using 1:2:3 with filledcurves closed linecolor palette
#--- outlines
$edges_{{panel %d}} using 1:2 with lines linewidth 0.3 linecolor rgb '#FFFFFF'
#--- end of panel
unset label 1
unset label 2
#--- end
unset multiplot
set output
