import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { Notice } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { serviceHref } from "../record-links.server"
import type { OrderScreenProps } from "./order-screen-props.server"

/** What a gateway has taken back by itself, what goes on all the same, and what can be done. */
export function ChargebackNotice({ view, actions, isBilledElsewhere, timeZone }: OrderScreenProps) {
  const { chargeback, order, service } = view
  if (!chargeback) return null
  return (
    <Notice kind="warning">
      {t("order.chargeback.happened", {
        gateway: gatewayName(chargeback.gateway ?? order.gateway),
        amount: amountText(chargeback.amount),
        at: localText(chargeback.at, timeZone),
      })}{" "}
      {service && !isBilledElsewhere && (
        <>
          {t("order.chargeback.goesOn")} <a href={serviceHref(service.id)}>{service.name}</a>.{" "}
        </>
      )}
      {isBilledElsewhere && `${t("order.chargeback.goesOnThere")} `}
      {actions.includes("dismiss-chargeback") && t("order.chargeback.settle")}
    </Notice>
  )
}
