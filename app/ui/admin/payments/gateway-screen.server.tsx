import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { Fact, Findings } from "../list-parts.server"
import { healthText } from "./gateways-screen.server"

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
  /** What the newest test callback has met; null: none was sent. */
  tested: { readonly at: Instant; readonly text: string } | null
  mayTest: boolean
  /** What the gateway has answered just now, and its recent activity; null: it was not asked. */
  findings: readonly Diagnostic[] | null
  /** What the role and the state allow. */
  action: Action | null
  newKey: () => string
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: { readonly action: Action | "test-callback"; readonly reason: string } | null
  timeZone: string
}

/** A gateway: how it does, the address that its settings need, and whether new orders may use it. */
export function GatewayScreen(props: GatewayProps) {
  const { gateway, hosts, callbackAddress, notice, timeZone } = props
  const { id, lastSuccessAt, waitingOrders } = gateway
  return (
    <>
      <div className="title">
        <h1>{gatewayName(id)}</h1>
        <p>{offerText(props)}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <dl className="facts">
          <Fact name="gateways.state">{healthText(gateway, timeZone)}</Fact>
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
          <Fact name="gateways.tested">{testOf(props)}</Fact>
          <Fact name="gateways.callbacks">
            <a href={consoleHref(`/admin/rejected-callbacks?gateway=${id}`)}>{t("gateways.rejected")}</a>
          </Fact>
        </dl>
      </section>
      <Check {...props} />
      <section className="card">
        <h2>{t("action.title")}</h2>
        <Actions {...props} />
      </section>
      <p>
        <a href={consoleHref("/admin/gateways")}>{t("gateways.title")}</a>
      </p>
    </>
  )
}

/** The findings of `doctor` and `gateways check`. Without a click the gateway is not asked: each look would be a call. */
function Check({ gateway, findings }: GatewayProps) {
  return (
    <section className="card" id="findings">
      <h2>{t("gateways.findings")}</h2>
      {findings && <Findings findings={findings} />}
      <form method="get" action={consoleHref(`/admin/gateways/${gateway.id}#findings`)}>
        <button className="button" type="submit" name="check" value="now">
          {t(findings ? "gateways.checkAgain" : "gateways.check")}
        </button>
      </form>
    </section>
  )
}

function Actions(props: GatewayProps) {
  const { action, mayTest, newKey, typed } = props
  if (action === null && !mayTest) return <p>{t("action.nothing")}</p>
  return (
    <>
      {mayTest && (
        <ActionForm
          action="test-callback"
          name={t("gateways.test")}
          now={testOf(props)}
          after={t("gateways.testAfter")}
          formKey={newKey()}
          seen=""
          refused={typed?.action === "test-callback" ? typed : null}
          proof={null}
        />
      )}
      {action !== null && (
        <ActionForm
          action={action}
          name={t(`gateways.actions.${action}`)}
          now={offerText(props)}
          after={t(action === "drain-gateway" ? "gateways.drained" : "gateways.offered")}
          formKey={newKey()}
          seen=""
          refused={typed?.action === action ? typed : null}
          proof={null}
        />
      )}
    </>
  )
}

function offerText({ gateway: { isEnabled, drainedSince }, timeZone }: GatewayProps): string {
  if (!isEnabled) return t("gateways.notEnabled")
  if (drainedSince === null) return t("gateways.offered")
  return t("gateways.drainedSince", { since: localText(drainedSince, timeZone) })
}

function testOf({ tested, timeZone }: GatewayProps): string {
  if (tested === null) return t("gateways.untested")
  return t("gateways.testedAt", { at: localText(tested.at, timeZone), text: tested.text })
}
