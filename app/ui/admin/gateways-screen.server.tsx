import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"
import { ListTable } from "./list-parts.server"

type GatewaysProps = {
  gateways: readonly {
    readonly id: GatewayId
    readonly isOffered: boolean
    readonly downSince: Instant | null
    readonly lastSuccessAt: Instant | null
    readonly waitingOrders: number
  }[]
  timeZone: string
}

/** The gateways, those that do not answer first. */
export function GatewaysScreen({ gateways, timeZone }: GatewaysProps) {
  return (
    <>
      <div className="title">
        <h1>{t("gateways.title")}</h1>
        <p>{t("gateways.lead")}</p>
      </div>
      <section className="card">
        <ListTable
          label={t("gateways.title")}
          isCompact
          heads={[
            { text: "gateways.gateway" },
            { text: "gateways.use" },
            { text: "gateways.state" },
            { text: "gateways.lastSuccess" },
            { text: "gateways.waiting", isNumber: true },
            { text: "gateways.callbacks" },
          ]}
        >
          {gateways.map(({ id, isOffered, downSince, lastSuccessAt, waitingOrders }) => (
            <tr key={id}>
              <td>
                <a href={consoleHref(`/admin/gateways/${id}`)}>{id}</a>
              </td>
              <td>{t(isOffered ? "gateways.offered" : "gateways.drained")}</td>
              <td>
                {downSince === null
                  ? t("gateways.answers")
                  : t("gateways.down", { since: localText(downSince, timeZone) })}
              </td>
              <td data-label={t("gateways.lastSuccess")}>
                {lastSuccessAt === null ? t("gateways.never") : localText(lastSuccessAt, timeZone)}
              </td>
              <td className="number" data-label={t("gateways.waiting")}>
                <a href={consoleHref(`/admin/orders?status=awaiting-payment&gateway=${id}`)}>
                  {waitingOrders}
                </a>
              </td>
              <td>
                <a href={consoleHref(`/admin/rejected-callbacks?gateway=${id}`)}>{t("gateways.rejected")}</a>
              </td>
            </tr>
          ))}
        </ListTable>
      </section>
    </>
  )
}
