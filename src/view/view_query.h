/* What is asked of a view before it is lent. */
#ifndef SVI_VIEW_VIEW_QUERY_H
#define SVI_VIEW_VIEW_QUERY_H

#include "view/view.h"

/* SV_OK when DLPack can say it: borrowed is whole. */
sv_status svi_view_check_borrowable(const sv_view *view);

#endif
