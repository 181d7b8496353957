import type { Said, Told } from "~/billing-api/contract/endpoints"
import { deviceAddressIn } from "~/domain/device-address"
import {
  noteOnService,
  restartService as restart,
  type ServiceChange,
  tieToDevice,
} from "~/flows/services/change-service.server"
import { ApiRefusal } from "./api-error"
import { type Api, ownService } from "./ownership"

export async function updateClientProduct(
  api: Api,
  said: Said<"updateClientProduct">,
): Promise<Told<"updateClientProduct">> {
  await noteOnService(api.services, await ownService(api, said), said.notes)
  return { result: "success" }
}

export async function updateMacAddress(
  api: Api,
  said: Said<"updateMacAddress">,
): Promise<Told<"updateMacAddress">> {
  const service = await ownService(api, said)
  const address = deviceAddressIn(said.macAddress)
  if (!address) throw new ApiRefusal("bad-request", "macAddress: invalid MAC address")
  carriedOut(await tieToDevice(api.services, service, address))
  return { result: "OK" }
}

export async function restartService(
  api: Api,
  said: Said<"restartService">,
): Promise<Told<"restartService">> {
  carriedOut(await restart(api.services, await ownService(api, said)))
  return { result: "success" }
}

function carriedOut(change: ServiceChange): void {
  if (change === "not-answered") throw new ApiRefusal("unavailable", "Panel did not apply the change")
}
