import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { deviceAddressIn } from "~/domain/device-address"
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
  carriedOut(await tieToDevice(api.services, service, address))
  return { result: "OK" }
}

export async function restartService(
  api: ApiCall,
  said: RequestOf<"restartService">,
): Promise<ResponseOf<"restartService">> {
  carriedOut(await restart(api.services, await ownService(api, said)))
  return { result: "success" }
}

function carriedOut(change: ServiceChange): void {
  if (change === "not-answered") throw new ApiError("unavailable", "Panel did not apply the change")
}
