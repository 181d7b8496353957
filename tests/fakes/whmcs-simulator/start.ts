import type { AddressInfo } from "node:net"
import type { Instant } from "~/domain/calendar"
import type { PriceTable } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import type { CatalogueFixture } from "../../contracts/billing/billing-fixtures"
import { staffOf } from "./admin-actions"
import { demoCatalogue, type ItemSettings, itemsOf, promotionRow } from "./catalogue"
import { clockIn } from "./clock"
import { currencyRows, type Installation } from "./installation"
import { deliveryTo } from "./mails"
import { Quirks } from "./quirks"
import { type Call, type Site, serve } from "./server"
import { copyOf, emptyState, replaceWith, type State } from "./state"

export type WhmcsOptions = {
  /** Catalogue; the shop's demo catalogue by default. */
  readonly catalogue?: CatalogueFixture
  readonly now?: () => Instant
  /** Local time zone; the API writes days and times in it. */
  readonly timeZone?: string
  readonly gateways?: readonly string[]
  /** The first is the default currency. All currencies that the shop supports, by default. */
  readonly currencies?: readonly Currency[]
  /** Exchange rates in hundred-thousandths of the default currency. */
  readonly rates?: Partial<Record<Currency, number>>
  readonly autosetup?: Installation["autosetup"]
  /** Whether products have a welcome e-mail, as a new product has by default. */
  readonly welcomeEmail?: boolean
  /** Mail server for messages to clients; none by default, so that they are in the mail log alone. */
  readonly smtpUrl?: string
  readonly moduleFunctions?: readonly string[]
  readonly clientFields?: Installation["clientFields"]
  readonly fieldsOnOrderForm?: ItemSettings["fieldsOnOrderForm"]
  readonly fieldNames?: readonly string[]
  readonly setupFees?: Readonly<Record<string, PriceTable>>
  /** "": products have no module. */
  readonly module?: string
  readonly accessKey?: string
  /** Whether texts are returned unchanged or HTML-encoded. */
  readonly texts?: Quirks["texts"]
  /** Path on the host, for example "/billing". */
  readonly path?: string
  readonly port?: number
}

const CREDENTIALS = { identifier: "shop-identifier", secret: "shop-secret" }

/** Starts an empty installation of WHMCS on this machine. */
export async function startWhmcs(
  options: WhmcsOptions = {},
  sideHandler?: (whmcs: Inside) => Site["sideHandler"],
) {
  const { path = "", port = 0, accessKey = null } = options
  const delivery = options.smtpUrl === undefined ? null : deliveryTo(options.smtpUrl)
  const installation = installationOf(options, delivery?.deliver ?? null)
  const staff = staffOf(installation)
  const calls: Call[] = []
  const site = { installation, access: { ...CREDENTIALS, accessKey }, calls, path }
  const pages = sideHandler?.({ installation, staff, calls }) ?? null
  const server = await serve({ ...site, sideHandler: pages }, { port })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}${path}`,
    settings: { ...CREDENTIALS, accessKey },
    quirks: installation.quirks,
    /** All calls since the start, oldest first. */
    calls,
    staff,
    ...installation.state,
    /** Copies all rows; `restore` brings them back, as from a backup of the database: ids of later rows are given out again. */
    backup: () => copyOf(installation.state),
    restore: (backup: State) => replaceWith(installation.state, backup),
    /** Resolves when the mail server has accepted all messages. */
    mailDelivered: async () => void (await delivery?.settled()),
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

export type Whmcs = Awaited<ReturnType<typeof startWhmcs>>
export type Inside = {
  readonly installation: Installation
  readonly staff: ReturnType<typeof staffOf>
  readonly calls: readonly Call[]
}

function installationOf(options: WhmcsOptions, deliver: Installation["deliver"]): Installation {
  const catalogue = options.catalogue ?? demoCatalogue()
  const state = emptyState()
  state.promotions.push(...catalogue.promotions.map(promotionRow))
  const { fieldNames = ["Username", "Password", "MAC Address"], module = "xui" } = options
  const { fieldsOnOrderForm = "listed", setupFees = {}, welcomeEmail = true } = options
  return {
    items: itemsOf(catalogue, { module, fieldNames, fieldsOnOrderForm, setupFees }),
    state,
    clock: clockIn(options.timeZone ?? "UTC", options.now ?? Date.now),
    quirks: new Quirks(options.texts),
    currencies: currencyRows(options.rates ?? {}, options.currencies),
    gateways: options.gateways ?? ["offshore", "coinbase", "cryptomusgateway", "btcpay"],
    autosetup: options.autosetup ?? "payment",
    welcomeEmail,
    deliver,
    moduleFunctions: options.moduleFunctions ?? ["kill_connections", "sync_device"],
    clientFields: options.clientFields ?? [],
  }
}
