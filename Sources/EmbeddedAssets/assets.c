#include "EmbeddedAssets.h"

#include <string.h>

// `#embed` is C23, and clang takes it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char expectations_example_yaml[] = {
#embed "../../Assets/Expectations/example.yaml"
};
static const unsigned char faces_bold_txt[] = {
#embed "../../Assets/Faces/bold.txt"
};
static const unsigned char faces_wide_txt[] = {
#embed "../../Assets/Faces/wide.txt"
};
static const unsigned char scenarios_deliveries_parcel_day_yaml[] = {
#embed "../../Assets/Scenarios/Deliveries/parcel-day.yaml"
};
static const unsigned char scenarios_deliveries_parcel_link_too_early_yaml[] = {
#embed "../../Assets/Scenarios/Deliveries/parcel-link-too-early.yaml"
};
static const unsigned char scenarios_deliveries_parcel_rescheduled_yaml[] = {
#embed "../../Assets/Scenarios/Deliveries/parcel-rescheduled.yaml"
};
static const unsigned char scenarios_deliveries_parcel_second_attempt_yaml[] = {
#embed "../../Assets/Scenarios/Deliveries/parcel-second-attempt.yaml"
};
static const unsigned char scenarios_deliveries_parcel_wrong_order_yaml[] = {
#embed "../../Assets/Scenarios/Deliveries/parcel-wrong-order.yaml"
};
static const unsigned char scenarios_deliveries_van_breakdown_yaml[] = {
#embed "../../Assets/Scenarios/Deliveries/van-breakdown.yaml"
};
static const unsigned char scenarios_ride_captions_yaml[] = {
#embed "../../Assets/Scenarios/Ride/captions.yaml"
};
static const unsigned char scenarios_airport_pickup_yaml[] = {
#embed "../../Assets/Scenarios/airport-pickup.yaml"
};
static const unsigned char scenarios_back_to_back_yaml[] = {
#embed "../../Assets/Scenarios/back-to-back.yaml"
};
static const unsigned char scenarios_date_line_yaml[] = {
#embed "../../Assets/Scenarios/date-line.yaml"
};
static const unsigned char scenarios_driver_cancels_yaml[] = {
#embed "../../Assets/Scenarios/driver-cancels.yaml"
};
static const unsigned char scenarios_engine_trouble_yaml[] = {
#embed "../../Assets/Scenarios/engine-trouble.yaml"
};
static const unsigned char scenarios_midnight_yaml[] = {
#embed "../../Assets/Scenarios/midnight.yaml"
};
static const unsigned char scenarios_null_island_yaml[] = {
#embed "../../Assets/Scenarios/null-island.yaml"
};
static const unsigned char scenarios_off_route_yaml[] = {
#embed "../../Assets/Scenarios/off-route.yaml"
};
static const unsigned char scenarios_rider_cancels_yaml[] = {
#embed "../../Assets/Scenarios/rider-cancels.yaml"
};
static const unsigned char scenarios_shared_pool_yaml[] = {
#embed "../../Assets/Scenarios/shared-pool.yaml"
};
static const unsigned char scenarios_silent_vehicle_yaml[] = {
#embed "../../Assets/Scenarios/silent-vehicle.yaml"
};
static const unsigned char scenarios_sparse_answers_yaml[] = {
#embed "../../Assets/Scenarios/sparse-answers.yaml"
};
static const unsigned char scenarios_token_life_yaml[] = {
#embed "../../Assets/Scenarios/token-life.yaml"
};
static const unsigned char scenarios_token_trouble_yaml[] = {
#embed "../../Assets/Scenarios/token-trouble.yaml"
};
static const unsigned char scenarios_traffic_jam_yaml[] = {
#embed "../../Assets/Scenarios/traffic-jam.yaml"
};
static const unsigned char scenarios_tunnel_yaml[] = {
#embed "../../Assets/Scenarios/tunnel.yaml"
};
static const unsigned char scenarios_wrong_way_yaml[] = {
#embed "../../Assets/Scenarios/wrong-way.yaml"
};
static const unsigned char strings_captions_de_json[] = {
#embed "../../Assets/Strings/captions.de.json"
};
static const unsigned char strings_captions_ko_json[] = {
#embed "../../Assets/Strings/captions.ko.json"
};
static const unsigned char strings_captions_zh_hans_json[] = {
#embed "../../Assets/Strings/captions.zh-Hans.json"
};
static const unsigned char strings_captions_zh_hant_json[] = {
#embed "../../Assets/Strings/captions.zh-Hant.json"
};
static const unsigned char strings_de_json[] = {
#embed "../../Assets/Strings/de.json"
};
static const unsigned char strings_en_json[] = {
#embed "../../Assets/Strings/en.json"
};
static const unsigned char strings_ko_json[] = {
#embed "../../Assets/Strings/ko.json"
};
static const unsigned char strings_zh_hans_json[] = {
#embed "../../Assets/Strings/zh-Hans.json"
};
static const unsigned char strings_zh_hant_json[] = {
#embed "../../Assets/Strings/zh-Hant.json"
};
static const unsigned char tour_tour_yaml[] = {
#embed "../../Assets/Tour/tour.yaml"
};
static const unsigned char town_town_geojson[] = {
#embed "../../Assets/Town/town.geojson"
};

#define ASSET(path, data) {path, data, sizeof data}

// In the order of their paths.
static const struct embedded_asset assets[] = {
    ASSET("Expectations/example.yaml", expectations_example_yaml),
    ASSET("Faces/bold.txt", faces_bold_txt),
    ASSET("Faces/wide.txt", faces_wide_txt),
    ASSET("Scenarios/Deliveries/parcel-day.yaml", scenarios_deliveries_parcel_day_yaml),
    ASSET("Scenarios/Deliveries/parcel-link-too-early.yaml", scenarios_deliveries_parcel_link_too_early_yaml),
    ASSET("Scenarios/Deliveries/parcel-rescheduled.yaml", scenarios_deliveries_parcel_rescheduled_yaml),
    ASSET("Scenarios/Deliveries/parcel-second-attempt.yaml", scenarios_deliveries_parcel_second_attempt_yaml),
    ASSET("Scenarios/Deliveries/parcel-wrong-order.yaml", scenarios_deliveries_parcel_wrong_order_yaml),
    ASSET("Scenarios/Deliveries/van-breakdown.yaml", scenarios_deliveries_van_breakdown_yaml),
    ASSET("Scenarios/Ride/captions.yaml", scenarios_ride_captions_yaml),
    ASSET("Scenarios/airport-pickup.yaml", scenarios_airport_pickup_yaml),
    ASSET("Scenarios/back-to-back.yaml", scenarios_back_to_back_yaml),
    ASSET("Scenarios/date-line.yaml", scenarios_date_line_yaml),
    ASSET("Scenarios/driver-cancels.yaml", scenarios_driver_cancels_yaml),
    ASSET("Scenarios/engine-trouble.yaml", scenarios_engine_trouble_yaml),
    ASSET("Scenarios/midnight.yaml", scenarios_midnight_yaml),
    ASSET("Scenarios/null-island.yaml", scenarios_null_island_yaml),
    ASSET("Scenarios/off-route.yaml", scenarios_off_route_yaml),
    ASSET("Scenarios/rider-cancels.yaml", scenarios_rider_cancels_yaml),
    ASSET("Scenarios/shared-pool.yaml", scenarios_shared_pool_yaml),
    ASSET("Scenarios/silent-vehicle.yaml", scenarios_silent_vehicle_yaml),
    ASSET("Scenarios/sparse-answers.yaml", scenarios_sparse_answers_yaml),
    ASSET("Scenarios/token-life.yaml", scenarios_token_life_yaml),
    ASSET("Scenarios/token-trouble.yaml", scenarios_token_trouble_yaml),
    ASSET("Scenarios/traffic-jam.yaml", scenarios_traffic_jam_yaml),
    ASSET("Scenarios/tunnel.yaml", scenarios_tunnel_yaml),
    ASSET("Scenarios/wrong-way.yaml", scenarios_wrong_way_yaml),
    ASSET("Strings/captions.de.json", strings_captions_de_json),
    ASSET("Strings/captions.ko.json", strings_captions_ko_json),
    ASSET("Strings/captions.zh-Hans.json", strings_captions_zh_hans_json),
    ASSET("Strings/captions.zh-Hant.json", strings_captions_zh_hant_json),
    ASSET("Strings/de.json", strings_de_json),
    ASSET("Strings/en.json", strings_en_json),
    ASSET("Strings/ko.json", strings_ko_json),
    ASSET("Strings/zh-Hans.json", strings_zh_hans_json),
    ASSET("Strings/zh-Hant.json", strings_zh_hant_json),
    ASSET("Tour/tour.yaml", tour_tour_yaml),
    ASSET("Town/town.geojson", town_town_geojson),
};

size_t embedded_asset_count(void) { return sizeof assets / sizeof assets[0]; }

const struct embedded_asset *embedded_asset_at(size_t index) {
    return index < embedded_asset_count() ? &assets[index] : NULL;
}

const struct embedded_asset *embedded_asset_named(const char *path) {
    for (size_t index = 0; index < embedded_asset_count(); index++) {
        if (strcmp(assets[index].path, path) == 0) return &assets[index];
    }
    return NULL;
}
