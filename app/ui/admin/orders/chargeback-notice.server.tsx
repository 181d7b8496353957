import { localText } from "~/domain/local-time"
import type { Service } from "~/domain/services/service"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { Notice } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { serviceHref } from "../record-links.server"
import { ServicePill } from "../services/services-screen.server"
import type { OrderScreenProps } from "./order-screen-props.server"

/** What a gateway has taken back by itself, what goes on all the same, and what can be done. */
export function ChargebackNotice({ view, actions, isBilledElsewhere, timeZone }: OrderScreenProps) {
  const { chargeback, order } = view
  if (!chargeback) return null
  return (
    <Notice kind={chargeback.isOpen ? "warning" : "good"}>
      {t("order.chargeback.happened", {
        gateway: gatewayName(chargeback.gateway ?? order.gateway),
        amount: amountText(chargeback.amount),
        at: localText(chargeback.at, timeZone),
      })}{" "}
      {chargeback.isOpen ? (
        <OpenChargeback view={view} actions={actions} isBilledElsewhere={isBilledElsewhere} />
      ) : (
        <FormerChargeback view={view} />
      )}
    </Notice>
  )
}

function OpenChargeback({
  view: { service },
  actions,
  isBilledElsewhere,
}: Pick<OrderScreenProps, "view" | "actions" | "isBilledElsewhere">) {
  return (
    <>
      {service && !isBilledElsewhere && (
        <>
          {t("order.chargeback.goesOn")} <ServiceLink service={service} />.{" "}
        </>
      )}
      {isBilledElsewhere && `${t("order.chargeback.goesOnThere")} `}
      {actions.includes("dismiss-chargeback") && t("order.chargeback.settle")}
    </>
  )
}

/** Why nobody is needed any more. */
function FormerChargeback({ view: { service } }: Pick<OrderScreenProps, "view">) {
  if (!service || service.status === "Active" || service.status === "Pending")
    return t("order.chargeback.settled")
  return (
    <>
      {t("order.chargeback.stopped")} <ServiceLink service={service} />{" "}
      <ServicePill status={service.status} />
    </>
  )
}

function ServiceLink({ service: { id, name } }: { service: Pick<Service, "id" | "name"> }) {
  return <a href={serviceHref(id)}>{name}</a>
}
