import { getInputProps } from "@conform-to/react"
import type { ReactNode } from "react"
import { type Coin, coinField, coinName } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
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
  /** Coins for on-site payment. */
  readonly coins: readonly Coin[]
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
  return (
    <>
      <FieldError field={field} />
      <div className="gateways">
        {gateways.map((gateway) => (
          <div key={gateway.id} className="choice gateway">
            <Method gateway={gateway} field={field} chosen={gateway.id === chosen} />
            {gateway.coins.length > 0 && (
              <CoinChoice gateway={gateway} chosen={gateway.id === chosen ? coin : null} />
            )}
          </div>
        ))}
      </div>
    </>
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
  const tile = (it: Coin) => {
    const { coin, network } = coinParts(it)
    return (
      <CoinTile key={coinName(it)} gateway={id} value={coinName(it)} chosen={chosen}>
        {coin} {network && <small>{network}</small>}
      </CoinTile>
    )
  }
  return (
    <fieldset className="coins">
      <legend>{t("checkout.gateway.where")}</legend>
      <CoinTile gateway={id} value="" chosen={chosen ?? ""}>
        {t("checkout.gateway.hosted", { host })} <small>{t("checkout.gateway.hostedNote")}</small>
      </CoinTile>
      <p className="note">{t("checkout.gateway.here")}</p>
      <div className="coin-tiles">{first.map(tile)}</div>
      {others.length > 0 && (
        <details open={others.some((it) => coinName(it) === chosen)}>
          <summary>{t("checkout.gateway.moreCoins", { count: others.length })}</summary>
          <div className="coin-tiles">{others.map(tile)}</div>
        </details>
      )}
      <p className="note">{t("checkout.gateway.exchangeFee")}</p>
    </fieldset>
  )
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
      <span>{children}</span>
    </label>
  )
}
