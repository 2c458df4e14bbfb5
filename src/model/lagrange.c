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

/* P_n and P_n' at x */
static void legendre(int n, double x, double *value, double *derivative)
{
    double before = 1, now = x;
    for (int k = 2; k <= n; k++) {
        double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
        before = now;
        now = next;
    }
    *value = now;
    *derivative = n * (x * now - before) / (x * x - 1);
}

struct sg_gauss sg_gauss_rule(void)
{
    struct sg_gauss rule = {{0}, {0}};
    for (int i = 0; i < SG_GAUSS_POINTS / 2; i++) {
        double x = cos(3.14159265358979323846 * (i + 0.75) / (SG_GAUSS_POINTS + 0.5)), value = 0,
               slope_at = 0;
        for (int k = 0; k < 10; k++) {
            legendre(SG_GAUSS_POINTS, x, &value, &slope_at);
            x -= value / slope_at;
        }
        legendre(SG_GAUSS_POINTS, x, &value, &slope_at);
        int mirror = SG_GAUSS_POINTS - 1 - i;
        rule.point[i] = (1 - x) / 2;
        rule.point[mirror] = (1 + x) / 2;
        rule.weight[i] = rule.weight[mirror] = 1 / ((1 - x * x) * slope_at * slope_at);
    }
    return rule;
}
