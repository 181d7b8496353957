import { getInputProps } from "@conform-to/react"
import type { ReactNode } from "react"
import { type Coin, coinField, coinName } from "~/domain/payments/coin"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { MethodWords, UsualMinutes } from "~/domain/shop/payment-methods"
import { useTranslation } from "~/i18n/use-translation"
import { BankIcon, CoinsIcon, LightningIcon, WalletIcon } from "../layout/icons"
import { Step } from "./checkout-step"
import { coinParts } from "./coin-name"
import { FieldError } from "./field-error"
import type { FormField } from "./use-checked-form"

export type GatewayOffer = {
  readonly id: GatewayId
  readonly host: string
  /** Coins for on-site payment, with the time that a payment by each usually takes. */
  readonly coins: readonly (Coin & { readonly time: string | null })[]
  /** The gateway is unavailable at the moment. */
  readonly isDegraded: boolean
  /** The operator's words, and the usual time. */
  readonly words: MethodWords
}

type Choice = {
  gateways: readonly GatewayOffer[]
  chosen: GatewayId | null
  /** Name of the selected coin. */
  coin?: string | null
  field: FormField
}

/** The gateways as a step of the checkout. */
export function GatewayPicker({ number, ...choice }: Choice & { number: number }) {
  const { t } = useTranslation()
  return (
    <Step number={number} id={choice.field.id} heading={t("checkout.gateway.heading")}>
      <GatewayChoice {...choice} />
    </Step>
  )
}

/** The payment methods: name, how it is done, the time it usually takes. */
export function GatewayChoice({ gateways, chosen, coin = null, field }: Choice) {
  const { t } = useTranslation()
  const isNone = gateways.length === 0
  return (
    <>
      <FieldError field={field} />
      {isNone && !field.errors && <p className="note">{t("checkout.gateway.none")}</p>}
      {/* An order that account credit pays whole names a gateway too. */}
      {isNone && chosen && <input type="hidden" name={field.name} value={chosen} />}
      <div className="gateways" role="radiogroup" aria-label={t("checkout.gateway.heading")}>
        {gateways.map((gateway) => (
          <div key={gateway.id} className="choice gateway">
            <Method gateway={gateway} field={field} chosen={gateway.id === chosen} />
            <MethodDetails gateway={gateway} coin={gateway.id === chosen ? coin : null} />
          </div>
        ))}
      </div>
    </>
  )
}

/**
 * The payment methods behind the name of the one that is chosen already, for who pays again. Open if there is something to
 * decide. The style sheet hides the name once another method is chosen.
 */
export function FoldedGatewayChoice({ gateways, chosen, field }: Omit<Choice, "coin">) {
  const { t } = useTranslation()
  const preset = gateways.find(({ id }) => id === chosen)
  if (!preset || gateways.length === 1) {
    return <GatewayChoice gateways={gateways} chosen={chosen} field={field} />
  }
  const isOpen = preset.isDegraded || field.errors !== undefined
  return (
    <details className="fold methods" open={isOpen}>
      <summary>
        <span>
          {t("checkout.gateway.heading")}{" "}
          <span className="preset">{preset.words.name ?? t(`checkout.gateway.${preset.id}`)}</span>
        </span>
      </summary>
      <GatewayChoice gateways={gateways} chosen={chosen} field={field} />
    </details>
  )
}

/** What a method shows once it is chosen: its coins, and what to know of a payment by coin. */
function MethodDetails({ gateway, coin }: { gateway: GatewayOffer; coin: string | null }) {
  if (gateway.coins.length > 0) return <CoinChoice gateway={gateway} chosen={coin} />
  return <ProviderPage gateway={gateway} />
}

/** A method without a choice of where: it is paid at the provider. */
function ProviderPage({ gateway: { id, host, words } }: { gateway: GatewayOffer }) {
  const { t } = useTranslation()
  const isBank = id === "offshore"
  // The shop's own note of a bank's page names the host.
  if (isBank && words.note === null) return null
  return (
    <div className="coins">
      <p className="note">{t("review.lead", { host })}</p>
      {!isBank && <ExchangeFee />}
    </div>
  )
}

type MethodProps = { gateway: GatewayOffer; field: FormField; chosen: boolean }

function Method({ gateway: { id, host, isDegraded, words }, field, chosen }: MethodProps) {
  const { t } = useTranslation()
  const Icon = iconOf[id]
  return (
    <label className="method">
      <input
        {...getInputProps(field, { type: "radio", value: false })}
        id={`${field.id}-${id}`}
        value={id}
        required
        defaultChecked={chosen}
      />
      <span className="gateway-text">
        <strong>{words.name ?? t(`checkout.gateway.${id}`)}</strong>{" "}
        <small>
          {isDegraded
            ? t("checkout.gateway.troubled")
            : (words.note ?? t(`checkout.gateway.notes.${id}`, { host }))}{" "}
          {!isDegraded && words.minutes && <UsualTime minutes={words.minutes} />}
        </small>
      </span>{" "}
      <Icon />
    </label>
  )
}

const iconOf: Readonly<Record<GatewayId, () => ReactNode>> = {
  offshore: BankIcon,
  coinbase: WalletIcon,
  btcpay: LightningIcon,
  cryptomusgateway: CoinsIcon,
}

function UsualTime({ minutes: { from, to } }: { minutes: UsualMinutes }) {
  const { t } = useTranslation()
  if (to <= 1) return t("checkout.gateway.time.short")
  return from === to
    ? t("checkout.gateway.time.about", { count: to })
    : t("checkout.gateway.time.range", { from, to })
}

/** Coins that are always visible; the others are folded. */
const VISIBLE_COINS = 6

type Coins = { gateway: GatewayOffer; chosen: string | null }

/** Where to pay: on the provider's page, or here with a coin. Shown once the gateway is chosen. */
function CoinChoice({ gateway: { id, host, coins }, chosen }: Coins) {
  const { t } = useTranslation()
  const first = coins.slice(0, VISIBLE_COINS)
  const others = coins.slice(VISIBLE_COINS)
  const tile = (it: GatewayOffer["coins"][number]) => {
    const { coin, network } = coinParts(it)
    return (
      <CoinTile key={coinName(it)} gateway={id} value={coinName(it)} chosen={chosen}>
        <CoinMark currency={it.currency} />
        <span>
          {coin} <small>{[network, it.time].filter(Boolean).join(" · ")}</small>
        </span>
      </CoinTile>
    )
  }
  return (
    <fieldset className="coins">
      <legend>{t("checkout.gateway.where")}</legend>
      <CoinTile gateway={id} value="" chosen={chosen ?? ""}>
        <span>
          {t("checkout.gateway.hosted", { host })} <small>{t("checkout.gateway.hostedNote")}</small>
        </span>
      </CoinTile>
      <p className="note">{t("checkout.gateway.here")}</p>
      <div className="coin-tiles">{first.map(tile)}</div>
      {others.length > 0 && (
        <details open={others.some((it) => coinName(it) === chosen)}>
          <summary>{t("checkout.gateway.moreCoins", { count: others.length })}</summary>
          <div className="coin-tiles">{others.map(tile)}</div>
        </details>
      )}
      <ExchangeFee />
    </fieldset>
  )
}

/** An exchange takes its fee out of what is sent, so that too little arrives. */
export function ExchangeFee() {
  const { t } = useTranslation()
  return <p className="note">{t("checkout.gateway.exchangeFee")}</p>
}

/** The coin's sign on its own colour, drawn by the style sheet; a coin without one has none. */
function CoinMark({ currency }: Pick<Coin, "currency">) {
  return <i className="coin-mark" data-coin={currency} aria-hidden="true" />
}

type Tile = { gateway: GatewayId; value: string; chosen: string | null; children: ReactNode }

function CoinTile({ gateway, value, chosen, children }: Tile) {
  return (
    <label className="choice coin">
      <input
        type="radio"
        name={coinField(gateway)}
        value={value}
        defaultChecked={value === chosen}
        // Choosing a coin selects its gateway, where the coins of all gateways are visible.
        onChange={({ currentTarget: { form } }) =>
          form?.querySelector<HTMLInputElement>(`[name="gateway"][value="${gateway}"]`)?.click()
        }
      />
      {children}
    </label>
  )
}
