#include "model/lagrange.h"

#include <math.h>

static double node(int order, int i)
{
    return (double)i / order;
}

/* sum over pairs of left-out factors, of the product of the others: L''_i without its denominator */
static double bend(int order, int i, double x)
{
    double sum = 0;
    for (int j = 0; j <= order; j++)
        for (int k = 0; k <= order; k++) {
            if (j == i || k == i || j == k) continue;
            double product = 1 / ((node(order, i) - node(order, j)) * (node(order, i) - node(order, k)));
            for (int m = 0; m <= order; m++)
                if (m != i && m != j && m != k)
                    product *= (x - node(order, m)) / (node(order, i) - node(order, m));
            sum += product;
        }
    return sum;
}

static double slope(int order, int i, double x)
{
    double sum = 0;
    for (int j = 0; j <= order; j++) {
        if (j == i) continue;
        double product = 1 / (node(order, i) - node(order, j));
        for (int m = 0; m <= order; m++)
            if (m != i && m != j) product *= (x - node(order, m)) / (node(order, i) - node(order, m));
        sum += product;
    }
    return sum;
}

struct sg_lagrange sg_lagrange_at(int order, double x)
{
    struct sg_lagrange at = {{0}, {0}, {0}};
    for (int i = 0; i <= order; i++) {
        at.value[i] = 1;
        for (int m = 0; m <= order; m++)
            if (m != i) at.value[i] *= (x - node(order, m)) / (node(order, i) - node(order, m));
        at.slope[i] = slope(order, i, x);
        at.bend[i] = bend(order, i, x);
    }
    return at;
}

struct sg_gauss sg_gauss_rule(void)
{
    static const struct sg_gauss rule = {
        {0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.40828267875217511,
         0.59171732124782495, 0.7627662049581645, 0.89833323870681336, 0.98014492824876809},
        {0.050614268145188129, 0.11119051722668724, 0.15685332293894363, 0.181341891689181, 0.181341891689181,
         0.15685332293894363, 0.11119051722668724, 0.050614268145188129}};
    return rule;
}
