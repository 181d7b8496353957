import { isGatewayId } from "~/domain/payments/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"

/** What the console calls a gateway, by its id; a text that is none stays as it is. */
export function gatewayName(id: string): string {
  return isGatewayId(id) ? t(`gatewayNames.${id}`) : id
}

/** A sentence that begins with gateways, such as "offshore: no funds" or "offshore, btcpay", with their names. */
export function withGatewayNames(text: string): string {
  const [gateways = "", ...rest] = text.split(": ")
  return [gateways.split(", ").map(gatewayName).join(", "), ...rest].join(": ")
}
