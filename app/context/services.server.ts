import type { Logger } from "pino"
import { createContext } from "react-router"
import type { Billing } from "~/billing/billing"
import type { ShownCatalogue } from "~/billing/cached-catalogue.server"
import type { Outbox } from "~/billing/outbox"
import type { PaymentRepository } from "~/billing/payment-repository"
import type { SessionRepository } from "~/billing/session-repository"
import type { LogoFile } from "~/config/logo-file.server"
import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/country"
import type { RandomInt } from "~/domain/credentials"
import type { GatewayId } from "~/domain/gateway-id"
import type { Currency } from "~/domain/money"
import type { Strength } from "~/domain/password-strength"
import type { Analytics } from "~/domain/shop/analytics"
import type { Brand } from "~/domain/shop/brand"
import type { PlayerApp, ShopLinks } from "~/domain/shop/shop-links"
import type { MonitoredGateway } from "~/gateways/gateway"
import type { CountryLookup } from "~/geo-ip/country-lookup"
import type { Provisioner } from "~/provisioning/provisioner"
import type { ApiAccess } from "~/security/api-tokens.server"
import type { Seal } from "~/security/cookie-encryption.server"
import type { Signer } from "~/security/hmac.server"
import type { RateLimits } from "~/security/rate-limits.server"

/** The outside world, as the flows see it. */
export type Services = {
  readonly shop: ShopConfig
  /** The price list for showing, possibly some seconds old. Orders are priced from `billing`. */
  readonly catalogue: ShownCatalogue
  readonly billing: Billing
  readonly payments: PaymentRepository
  readonly outbox: Outbox
  readonly sessions: SessionRepository
  readonly gateways: Gateways
  /** Those that new orders may be paid by, in this order; the first is the default. */
  readonly enabledGateways: readonly GatewayId[]
  /** How much of a total may be missing when it is paid there, in hundredths of a percent; none unless said. */
  readonly tolerance: Readonly<Partial<Record<GatewayId, number>>>
  readonly provisioner: Provisioner
  readonly countryOf: CountryLookup
  /** Where the visitor of this request is, and what he pays in. */
  readonly pricingContext: PricingContext
  readonly rateLimits: RateLimits
  /** How strong a password is; throws `PoolOverloaded` where too many wait to be rated. */
  readonly passwordStrength: (password: string, email: string) => Promise<Strength>
  readonly sessionSeal: Seal
  /** Signs links that prove who follows them, and addresses that lead back to an order. */
  readonly signer: Signer
  readonly now: () => Instant
  readonly randomInt: RandomInt
  /** Who may call the served API; null: there is none. */
  readonly apiAuth: ApiAccess | null
  /** A fresh name that nobody can guess. */
  readonly newId: () => string
  /** Something has been put into the outbox: look now rather than at the next turn. */
  readonly wakeJobs: () => void
  /** Whether the books answer. */
  readonly healthy: () => Promise<boolean>
  readonly log: Logger
}

/** What the operator has decided. */
export type ShopConfig = {
  readonly brand: Brand
  readonly logo: LogoFile | null
  /** Scheme, host and port under which buyers and gateways reach us; no trailing slash. */
  readonly publicUrl: string
  readonly currency: Currency
  readonly timeZone: string
  readonly defaultPlan: string | null
  /** The reseller plan that is chosen at first; null: the second one (spec, section 9). */
  readonly defaultResellerPlan: string | null
  /** The same for those who have not bought one yet; null: as for the others. */
  readonly newResellerPlan: string | null
  /** The country of a new customer whose own nobody knows (spec, section 9). */
  readonly defaultCountry: Country
  /** Stands in an order for a client address that nobody knows (spec, section 9). */
  readonly fallbackAddress: string
  /** After how many milliseconds customers who never bought anything are forgotten; null: never. */
  readonly retention: number | null
  readonly fraudCheck: boolean
  /** An e-mail in a link signs in by itself, as the spec has it; the operator has accepted the risk. */
  readonly trustEmailLinks: boolean
  readonly links: ShopLinks
  readonly apps: readonly PlayerApp[]
  readonly testMode: boolean
  /** Who counts visitors; null: nobody does. */
  readonly analytics: Analytics | null
}

export type PricingContext = { readonly country: Country; readonly currency: Currency }

/** All that are spoken with, offered or not. */
export type Gateways = ReadonlyMap<GatewayId, MonitoredGateway>

/** No default value: reading it before the server has set it is a bug, and throws. */
export const servicesContext = createContext<Services>()
