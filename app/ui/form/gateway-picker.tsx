import { getInputProps } from "@conform-to/react"
import { type Coin, coinField, coinName } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { useTranslation } from "~/i18n/use-translation"
import { CoinIcon, TransferIcon } from "../layout/icons"
import { Step } from "./checkout-step"
import { coinText } from "./coin-name"
import { FieldError } from "./field-error"
import type { FormField } from "./use-checked-form"

export type GatewayOffer = {
  readonly id: GatewayId
  readonly host: string
  /** Coins for on-site payment. */
  readonly coins: readonly Coin[]
  /** The gateway is unavailable at the moment. */
  readonly isDegraded: boolean
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

/** The gateways, each with a description of the next step. */
export function GatewayChoice({ gateways, chosen, coin = null, field }: Choice) {
  const { t } = useTranslation()
  return (
    <>
      <FieldError field={field} />
      {gateways.map(({ id, host, coins, isDegraded }) => (
        // `htmlFor`, since the label would otherwise belong to its first control, which may be the coin.
        <label key={id} className="choice gateway" htmlFor={`${field.id}-${id}`}>
          <span className="gateway-sign">{id === "offshore" ? <TransferIcon /> : <CoinIcon />}</span>
          <span className="gateway-text">
            <strong>{t(`checkout.gateway.${id}`)}</strong>{" "}
            <small>{t(isDegraded ? "checkout.gateway.troubled" : "checkout.gateway.note", { host })}</small>
          </span>{" "}
          <input
            {...getInputProps(field, { type: "radio", value: false })}
            id={`${field.id}-${id}`}
            value={id}
            required
            defaultChecked={id === chosen}
          />
          {coins.length > 0 && <CoinChoice gateway={id} coins={coins} chosen={id === chosen ? coin : null} />}
        </label>
      ))}
    </>
  )
}

type Coins = { gateway: GatewayId; coins: readonly Coin[]; chosen: string | null }

/** The coin of an on-site payment, or the provider's page. */
function CoinChoice({ gateway, coins, chosen }: Coins) {
  const { t } = useTranslation()
  return (
    <select
      className="coin"
      name={coinField(gateway)}
      defaultValue={chosen ?? ""}
      // Choosing a coin selects its gateway.
      onChange={({ currentTarget: { form } }) =>
        form?.querySelector<HTMLInputElement>(`[name="gateway"][value="${gateway}"]`)?.click()
      }
      aria-label={t("checkout.gateway.coin")}
    >
      <option value="">{t("checkout.gateway.hosted")}</option>
      {coins.map((coin) => (
        <option key={coinName(coin)} value={coinName(coin)}>
          {t("checkout.gateway.here", { coin: coinText(coin) })}
        </option>
      ))}
    </select>
  )
}
