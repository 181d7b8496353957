import { BASE } from "../base-path"
import type { GatewayId } from "./gateway-id"

/** The address that a gateway sends its callbacks to, as its settings and each payment need it. */
export function gatewayCallbackUrl(publicUrl: string, gateway: GatewayId): string {
  return `${publicUrl}${BASE}/api/payments/${gateway}/callback`
}
