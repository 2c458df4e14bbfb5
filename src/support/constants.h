/* Constants of mathematics that C11 does not name. */
#ifndef SG_SUPPORT_CONSTANTS_H
#define SG_SUPPORT_CONSTANTS_H

#define SG_PI 3.14159265358979323846

#endif
