/* Includes EWI_EACH_LAW_FILE once per law of EWI_LAWS. */
#define EWI_LAW euler
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#define EWI_LAW advection
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
