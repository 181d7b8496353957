import type { Backoffice } from "~/billing/external/external-billing"
import type { Instant } from "~/domain/calendar"
import { type AccountSettings, accountsThere } from "./accounts.server"
import { type Ask, askThem, type LineSettings } from "./api-client.server"
import { type GoodsSettings, priceList, shelfOf } from "./catalogue.server"
import { customersThere } from "./customers.server"
import { examination } from "./diagnostics.server"
import { calls } from "./endpoints"
import { jsonMap, phpMap } from "./map-encoding.server"
import { standingThere } from "./orders.server"
import { type TillSettings, tillThere } from "./payment-links.server"
import { placingThere } from "./place-order.server"
import { settingUpThere } from "./provision.server"
import { linesThere } from "./service-lookup.server"
import { servicesThere } from "./services.server"
import { tokenBook } from "./token-cache.server"

export type RemoteSettings = LineSettings &
  AccountSettings &
  GoodsSettings &
  TillSettings & {
    /** How they want maps in an order: as JSON, or as PHP writes them, in base64. */
    readonly maps: "json" | "php"
  }

/** Another server that keeps the books and takes the money, in the calls of section 7 of the spec. */
export function openRemote(settings: RemoteSettings): Backoffice {
  let theirTime: Instant | null = null
  const accounts = accountsThere(() => ask, settings)
  const tokens = tokenBook((customerId) => accounts.token(customerId))
  const ask: Ask = askThem(settings, tokens, (headers) => {
    theirTime = timeIn(headers)
  })
  const shelf = shelfOf(ask)
  const lines = linesThere(ask, shelf)
  const orders = standingThere(ask, lines)
  const till = tillThere(ask, settings)
  const mapText = settings.maps === "php" ? phpMap : jsonMap
  return {
    ...priceList(ask, shelf, settings),
    ...customersThere(ask, accounts, tokens),
    ...placingThere({ ask, shelf, lines, mapText }),
    ...orders,
    ...servicesThere(ask, lines),
    ...settingUpThere(ask, lines, orders.standing),
    till,

    async gateways() {
      const { paymentmethods } = await ask(calls.getGateway, {})
      for (const { module, origin } of paymentmethods) till.learn(module, origin)
      return paymentmethods.map(({ module }) => module)
    },

    examine: (now) =>
      examination({ ask, shelf, resellerCredits: settings.resellerCredits, theirTime: () => theirTime }, now),
  }
}

function timeIn(headers: Headers): Instant | null {
  const at = Date.parse(headers.get("date") ?? "")
  return Number.isNaN(at) ? null : at
}
