import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "./action-form.server"
import { consoleHref } from "./console-frame.server"
import { type ActionNotice, Notice } from "./form-parts.server"
import { Fact } from "./list-parts.server"

type Action = "drain-gateway" | "offer-gateway"

type GatewayProps = {
  gateway: {
    readonly id: GatewayId
    readonly isEnabled: boolean
    readonly drainedSince: Instant | null
    readonly downSince: Instant | null
    readonly lastSuccessAt: Instant | null
    readonly waitingOrders: number
  }
  /** Origins of its payment pages. */
  hosts: readonly string[]
  callbackAddress: string
  /** What the role and the state allow. */
  action: Action | null
  newKey: () => string
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: { readonly reason: string } | null
  timeZone: string
}

/** A gateway: how it does, the address that its settings need, and whether new orders may use it. */
export function GatewayScreen(props: GatewayProps) {
  const { gateway, hosts, callbackAddress, action, newKey, notice, typed, timeZone } = props
  const { id, downSince, lastSuccessAt, waitingOrders } = gateway
  const use = useOf(props)
  return (
    <>
      <div className="title">
        <h1>{id}</h1>
        <p>{use}</p>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        <dl className="facts">
          <Fact name="gateways.state">
            {downSince === null
              ? t("gateways.answers")
              : t("gateways.down", { since: localText(downSince, timeZone) })}
          </Fact>
          <Fact name="gateways.lastSuccess">
            {lastSuccessAt === null ? t("gateways.never") : localText(lastSuccessAt, timeZone)}
          </Fact>
          <Fact name="gateways.waiting">
            <a href={consoleHref(`/admin/orders?status=awaiting-payment&gateway=${id}`)}>{waitingOrders}</a>
          </Fact>
          <Fact name="gateways.hosts">{hosts.join(" ")}</Fact>
          <Fact name="gateways.callbackAddress">
            <code>{callbackAddress}</code>
          </Fact>
          <Fact name="gateways.callbacks">
            <a href={consoleHref(`/admin/rejected-callbacks?gateway=${id}`)}>{t("gateways.rejected")}</a>
          </Fact>
        </dl>
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {action === null ? (
          <p>{t("action.nothing")}</p>
        ) : (
          <ActionForm
            action={action}
            name={t(`gateways.actions.${action}`)}
            now={use}
            after={t(action === "drain-gateway" ? "gateways.drained" : "gateways.offered")}
            formKey={newKey()}
            seen=""
            refused={typed}
            proof={null}
          />
        )}
      </section>
      <p>
        <a href={consoleHref("/admin/gateways")}>{t("gateways.title")}</a>
      </p>
    </>
  )
}

function useOf({ gateway: { isEnabled, drainedSince }, timeZone }: GatewayProps): string {
  if (!isEnabled) return t("gateways.notEnabled")
  if (drainedSince === null) return t("gateways.offered")
  return t("gateways.drainedSince", { since: localText(drainedSince, timeZone) })
}
