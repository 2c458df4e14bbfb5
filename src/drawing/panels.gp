# Panels of curves, one above the other, over one scale or several. The panels' left edge is at 0.115 of the
# figure's width, their right edge at 0.79; the key stands beside them.

#--- data
$curve_{{panel %d}}_{{curve %d}} << END
#--- frame
set border linewidth 0.6
set tics scale 0.6
set xzeroaxis linetype 1 linecolor rgb '#999999' linewidth 0.5
set key at graph 1.015, graph 1.01 left top vertical Left reverse samplen 1.4 spacing 1.1
set autoscale yfix
set format y '%.6g'
set offsets 0, 0, graph 0.06, graph 0.06
set lmargin at screen 0.115
set rmargin at screen 0.79
set label 1 {{title 76}} at screen 0.115, screen {{title_y %g}} left font ',10'
set multiplot
#--- linear scale
unset logscale x
set mxtics 2
#--- log scale
set logscale x
set mxtics 10
#--- range
set xrange [{{low %.9g}}:{{high %.9g}}]
#--- no scale
set format x ''
unset xlabel
unset object
unset label 2
#--- phase
set object {{number %d}} rectangle from {{start %.9g}}, graph 0 to {{end %.9g}}, graph 1 behind fillcolor rgb '#E4E4E4' fillstyle solid noborder
#--- scale
set format x '%.6g'
set xlabel {{name 34}}
#--- phases
set label 2 'shaded: in contact' at screen 0.805, screen {{y %g}} left textcolor rgb '#666666'
#--- panel
set tmargin at screen {{top %g}}
set bmargin at screen {{bottom %g}}
unset label 3
unset label 4
{{log}} logscale y
#--- name
set label 4 {{name 34}} at screen 0.022, graph 0.5 center rotate by 90
#--- long name
set label 4 {{name 34}} at screen 0.022, graph 0.5 center rotate by 90 font ',6.5'
#--- count
set label 3 '{{shown %d}} of {{all %d}} {{word}}' at graph 1.025, graph 0.06 left textcolor rgb '#666666'
#--- line
$curve_{{panel %d}}_{{curve %d}} using 1:2 with lines linetype 1 linewidth {{width %g}} linecolor rgb '{{color}}' {{dash}}
#--- dotted line
$curve_{{panel %d}}_{{curve %d}} using 1:2 with linespoints linetype 1 linewidth {{width %g}} linecolor rgb '{{color}}' {{dash}} pointtype 7 pointsize 0.25
#--- marks
$curve_{{panel %d}}_{{curve %d}} every {{every %d}} using 1:2 with points pointtype 6 pointsize 0.7 linewidth 0.8 linecolor rgb '{{color}}'
#--- in the key
 title {{label 17}}
#--- not in the key
 notitle
#--- end of panel
unset label 1
#--- end
unset multiplot
set output
