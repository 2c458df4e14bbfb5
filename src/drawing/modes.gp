# The frequency-energy diagram of nonsmooth modes. What is drawn of a file: a block of data and one of the plot
# for each look of its points.

#--- data
${{look}}_{{set %d}} << END
#--- frame
set border linewidth 0.6
set tics scale 0.6
set logscale y
set format y '%g'
set format x '%.6g'
set mytics 10
set grid xtics ytics linetype 1 linewidth 0.4 linecolor rgb '#E4E4E4'
set xlabel 'frequency over that of the linear mode'
set ylabel 'energy over that of the linear mode that just touches'
set key top left reverse Left samplen 1.6 spacing 1.1 opaque noautotitle
set offsets graph 0.02, graph 0.02, 0, 0
set lmargin at screen 0.13
set rmargin at screen 0.97
set tmargin at screen 0.93
set bmargin at screen 0.13
set label 1 {{title 66}} at screen 0.13, screen 0.965 left font ',10'
#--- small tics
set ytics add ('{{two %g}}' {{two %g}}, '{{three %g}}' {{three %g}}, '{{five %g}}' {{five %g}})
#--- tic of one
set ytics add (1)
#--- line
$line_{{set %d}} using 1:2 with lines linewidth 0.7 linecolor rgb '{{color}}'
#--- stable
$stable_{{set %d}} using 1:2 with points pointtype 7 pointsize 0.65 linecolor rgb '{{color}}'
#--- unstable
$unstable_{{set %d}} using 1:2 with points pointtype 6 pointsize 0.65 linewidth 0.8 linecolor rgb '{{color}}'
#--- grazing
$grazing_{{set %d}} using 1:2 with points pointtype 2 pointsize 1.3 linewidth 1.4 linecolor rgb '{{color}}'
#--- forced
$forced_{{set %d}} using 1:2 with points pointtype 7 pointsize 0.18 linecolor rgb '{{color}}'
#--- in the key
 title {{title 44}}
#--- not in the key
 notitle
#--- meaning of stable
NaN with points pointtype 7 pointsize 0.6 linecolor rgb '#555555' title 'stable'
#--- meaning of unstable
NaN with points pointtype 6 pointsize 0.6 linecolor rgb '#555555' title 'unstable'
#--- meaning of grazing
NaN with points pointtype 2 pointsize 0.6 linecolor rgb '#555555' title 'ends in a grazing'
#--- end
set output
