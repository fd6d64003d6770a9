/* Two kinds of traffic, which are waited for at once. */
#include "traffic.h"

#include "pause.h"

static bool is_turn_of_mpi(const struct svm_traffic *traffic, bool is_waiting, const struct svm_pause *pause)
{
    return traffic->running > traffic->near || (traffic->running > 0 && (!is_waiting || svm_pause_is_for_mpi(pause)));
}

sv_status svm_traffic_go_on(void *owner, const struct svm_traffic *traffic, const struct svm_movers *movers,
                            bool is_waiting, bool *is_over)
{
    struct svm_pause pause = {0};

    *is_over = false;
    while (traffic->running > 0) {
        bool has_moved = false;
        sv_status status = traffic->near > 0 ? movers->near(owner, &has_moved) : SV_OK;

        if (status == SV_OK && is_turn_of_mpi(traffic, is_waiting, &pause))
            status = movers->far(owner, is_waiting && traffic->near == 0, &has_moved);
        if (status != SV_OK)
            return status;
        if (has_moved)
            pause.looks = 0;
        else if (is_waiting)
            svm_pause(&pause);
        else
            return SV_OK;
    }
    *is_over = true;
    return SV_OK;
}
