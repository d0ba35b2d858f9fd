// What an app must name of other modules, so that it imports this one only.

@_exported public import struct Failures.HTTPTransportRequest
@_exported public import struct Failures.HTTPTransportResponse
@_exported public import struct Runtime.EventOmission
@_exported public import typealias TripModel.DeliveryVehicleID
@_exported public import struct TripModel.ResourceID
@_exported public import enum TripModel.ResourceIDError
@_exported public import typealias TripModel.TaskID
@_exported public import typealias TripModel.TrackingID
@_exported public import typealias TripModel.TripID
@_exported public import typealias TripModel.VehicleID
