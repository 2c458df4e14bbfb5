#include "model/lagrange.h"

#include <math.h>
#include <stdbool.h>

static double node(int order, int i)
{
    return (double)i / order;
}

/* product of the factors of L_i at x but those of nodes j and k, with their denominators */
static double product_without(int order, int i, const int left[2], double x)
{
    double product = 1;
    for (int m = 0; m <= order; m++) {
        if (m == i) continue;
        bool out = m == left[0] || m == left[1];
        product *= (out ? 1 : x - node(order, m)) / (node(order, i) - node(order, m));
    }
    return product;
}

static double second(int order, int i, double x)
{
    double sum = 0;
    for (int j = 0; j <= order; j++)
        for (int k = 0; k <= order; k++)
            if (j != i && k != i && j != k) sum += product_without(order, i, (const int[]){j, k}, x);
    return sum;
}

static double slope(int order, int i, double x)
{
    double sum = 0;
    for (int j = 0; j <= order; j++)
        if (j != i) sum += product_without(order, i, (const int[]){j, j}, x);
    return sum;
}

struct sg_lagrange sg_lagrange_at(int order, double x)
{
    struct sg_lagrange at = {{0}, {0}, {0}};
    for (int i = 0; i <= order; i++) {
        at.value[i] = product_without(order, i, (const int[]){i, i}, x);
        at.slope[i] = slope(order, i, x);
        at.second[i] = second(order, i, x);
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
