import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { deviceAddressIn } from "~/domain/services/device-address"
import type { Service } from "~/domain/services/service"
import {
  type DeviceChange,
  noteOnService,
  restartService as restart,
  tieToDevice,
} from "~/flows/services/change-service.server"
import { ApiError } from "./api-error"
import { type ApiCall, ownService } from "./ownership"

export async function updateClientProduct(
  api: ApiCall,
  request: RequestOf<"updateClientProduct">,
): Promise<ResponseOf<"updateClientProduct">> {
  await noteOnService(api.services, await ownService(api, request), request.notes)
  return { result: "success" }
}

export async function updateMacAddress(
  api: ApiCall,
  request: RequestOf<"updateMacAddress">,
): Promise<ResponseOf<"updateMacAddress">> {
  const service = await ownService(api, request)
  const address = deviceAddressIn(request.macAddress)
  if (!address) throw new ApiError("bad-request", "macAddress: invalid MAC address")
  execute(service, await tieToDevice(api.services, service, address))
  return { result: "OK" }
}

export async function restartService(
  api: ApiCall,
  request: RequestOf<"restartService">,
): Promise<ResponseOf<"restartService">> {
  const service = await ownService(api, request)
  execute(service, await restart(api.services, service))
  return { result: "success" }
}

function execute({ status }: Service, change: DeviceChange): void {
  if (change === "not-active") {
    throw new ApiError("conflict", status === "Pending" ? "Service is not active yet" : "Service has ended")
  }
  if (change === "changed") throw new ApiError("conflict", "Another device is being registered")
  if (change === "blocked") throw new ApiError("conflict", "Device is blocked")
  if (change === "unconfirmed")
    throw new ApiError("unavailable", "The panel has not answered; it is asked again until it does")
  if (change === "not-answered") throw new ApiError("unavailable", "Panel did not apply the change")
}
