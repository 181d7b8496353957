import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { deviceAddressIn } from "~/domain/device-address"
import type { Service } from "~/domain/service"
import {
  noteOnService,
  restartService as restart,
  type ServiceChange,
  tieToDevice,
} from "~/flows/services/change-service.server"
import { ApiError } from "./api-error"
import { type ApiCall, ownService } from "./ownership"

export async function updateClientProduct(
  api: ApiCall,
  said: RequestOf<"updateClientProduct">,
): Promise<ResponseOf<"updateClientProduct">> {
  await noteOnService(api.services, await ownService(api, said), said.notes)
  return { result: "success" }
}

export async function updateMacAddress(
  api: ApiCall,
  said: RequestOf<"updateMacAddress">,
): Promise<ResponseOf<"updateMacAddress">> {
  const service = await ownService(api, said)
  const address = deviceAddressIn(said.macAddress)
  if (!address) throw new ApiError("bad-request", "macAddress: invalid MAC address")
  carriedOut(service, await tieToDevice(api.services, service, address))
  return { result: "OK" }
}

export async function restartService(
  api: ApiCall,
  said: RequestOf<"restartService">,
): Promise<ResponseOf<"restartService">> {
  const service = await ownService(api, said)
  carriedOut(service, await restart(api.services, service))
  return { result: "success" }
}

function carriedOut({ status }: Service, change: ServiceChange): void {
  if (change === "not-active") {
    throw new ApiError("conflict", status === "Pending" ? "Service is not active yet" : "Service has ended")
  }
  if (change === "not-answered") throw new ApiError("unavailable", "Panel did not apply the change")
}
