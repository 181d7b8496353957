import type { GatewayId } from "~/domain/gateway-id"
import { useTranslation } from "~/locales/use-translation"
import { TransferIcon } from "./icons"
import { FieldProblem, flagged, type Problems } from "./problems"
import { Step } from "./step"

export type GatewayOffer = { readonly id: GatewayId; readonly host: string }

type Choice = { gateways: readonly GatewayOffer[]; chosen: GatewayId | null; problems: Problems }

/** The ways to pay, as a step of the checkout. */
export function GatewayPicker({ number, ...choice }: Choice & { number: number }) {
  const { t } = useTranslation()
  return (
    <Step number={number} id="gateway" heading={t("checkout.gateway.heading")}>
      <GatewayChoice {...choice} />
    </Step>
  )
}

/** The ways to pay, each with what will happen. */
export function GatewayChoice({ gateways, chosen, problems }: Choice) {
  const { t } = useTranslation()
  return (
    <>
      <FieldProblem problems={problems} field="gateway" />
      {gateways.map(({ id, host }) => (
        <label key={id} className="choice gateway">
          <span className="gateway-sign">
            <TransferIcon />
          </span>
          <span className="gateway-text">
            <strong>{t(`checkout.gateway.${id}`)}</strong>{" "}
            <small>{t("checkout.gateway.note", { host })}</small>
          </span>{" "}
          <input
            type="radio"
            name="gateway"
            value={id}
            required
            defaultChecked={id === chosen}
            {...flagged(problems, "gateway")}
          />
        </label>
      ))}
    </>
  )
}
