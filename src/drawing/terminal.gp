# Where a figure goes to: a block a format. Letters are of 8 points; lengths are dots, of the pdf inches.

#--- svg
set encoding utf8
set terminal svg noenhanced size {{width %.0f}},{{height %.0f}} font 'DejaVu Sans,Arial,sans-serif,11' background rgb 'white'
set output 'plot.out'
#--- png
set encoding utf8
set terminal pngcairo noenhanced size {{width %.0f}},{{height %.0f}} font 'DejaVu Sans,8' fontscale 2.2 linewidth 2.4
set output 'plot.out'
#--- pdf
set encoding utf8
set terminal pdfcairo noenhanced size {{width %g}}in,{{height %g}}in font 'DejaVu Sans,8'
set output 'plot.out'
