import { PENDING_LIMIT, type WebhookEndpoint } from "~/billing/webhook-repository"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import {
  type ActionNotice,
  FormKey,
  FormNotice,
  OPEN_FORM,
  type ProofAsked,
  ProofFields,
  ReasonField,
} from "../form-parts.server"
import { ListTable } from "../list-parts.server"
import { type TypedEndpoint, WebhookFields } from "./webhook-fields.server"

/** An endpoint as who asks may see it. */
export type WebhookListed = Pick<
  WebhookEndpoint,
  | "id"
  | "description"
  | "subscriptions"
  | "state"
  | "pauseReason"
  | "holdUntil"
  | "failingSince"
  | "succeededAt"
> & { readonly address: string; readonly pending: number }

type WebhooksProps = {
  endpoints: readonly WebhookListed[]
  /** Whether the role of who asks may add endpoints. */
  mayAdd: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  typed: TypedEndpoint | null
  timeZone: string
}

/** The endpoints that get events; an owner adds one. */
export function WebhooksScreen(props: WebhooksProps) {
  const { endpoints, mayAdd, notice, timeZone } = props
  return (
    <>
      <div className="title">
        <h1>{t("webhooks.title")}</h1>
        <p>{t("webhooks.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        {endpoints.length === 0 ? (
          <p>{t("webhooks.none")}</p>
        ) : (
          <EndpointTable endpoints={endpoints} timeZone={timeZone} />
        )}
      </section>
      {mayAdd && <AddForm {...props} />}
    </>
  )
}

function EndpointTable({ endpoints, timeZone }: Pick<WebhooksProps, "endpoints" | "timeZone">) {
  return (
    <ListTable
      label={t("webhooks.title")}
      heads={[
        { text: "webhooks.endpoint" },
        { text: "webhooks.state" },
        { text: "webhooks.types" },
        { text: "webhooks.succeededAt" },
        { text: "webhooks.pending", isNumber: true },
      ]}
    >
      {endpoints.map((endpoint) => (
        <tr key={endpoint.id}>
          <td className="breaks">
            <a href={webhookHref(endpoint.id)}>{endpoint.description || endpoint.address}</a>
            {endpoint.description !== "" && <p>{endpoint.address}</p>}
          </td>
          <td>
            <WebhookPill endpoint={endpoint} />
          </td>
          <td className="breaks">
            {typesText(endpoint)}
            <Trouble endpoint={endpoint} timeZone={timeZone} />
          </td>
          <td data-label={t("webhooks.succeededAt")}>
            {endpoint.succeededAt === null ? t("webhooks.never") : localText(endpoint.succeededAt, timeZone)}
          </td>
          <td className="number" data-label={t("webhooks.pending")}>
            {pendingText(endpoint)}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

/** Why an endpoint gets nothing, or since when it fails. */
function Trouble({ endpoint, timeZone }: { endpoint: WebhookListed; timeZone: string }) {
  const { pauseReason, failingSince } = endpoint
  if (pauseReason !== null) return <p>{t(`webhooks.why.${pauseReason}`)}</p>
  if (failingSince === null) return null
  return <p>{t("webhooks.failingSince", { since: localText(failingSince, timeZone) })}</p>
}

function AddForm({ formKey, proof, typed }: Pick<WebhooksProps, "formKey" | "proof" | "typed">) {
  return (
    <section className="card" id={typed ? OPEN_FORM : undefined}>
      <h2>{t("webhooks.add")}</h2>
      <p>{t("webhooks.addLead")}</p>
      <form method="post" action={consoleHref("/admin/webhooks")}>
        <FormKey value={formKey} />
        <WebhookFields form="add" value={typed ?? { url: "", types: "", description: "" }} />
        <ReasonField id="reason" value={typed?.reason ?? ""} />
        <ProofFields {...proof} form="add" />
        <button className="button main" type="submit">
          {t("webhooks.add")}
        </button>
      </form>
    </section>
  )
}

/** Address of an endpoint's page. */
export function webhookHref(id: string): string {
  return consoleHref(`/admin/webhooks/${encodeURIComponent(id)}`)
}

export function WebhookPill({
  endpoint: { state, failingSince },
}: {
  endpoint: Pick<WebhookListed, "state" | "failingSince">
}) {
  if (state === "paused") return <span className="pill bad">{t("webhooks.paused")}</span>
  if (failingSince !== null) return <span className="pill warning">{t("webhooks.failing")}</span>
  return <span className="pill good">{t("webhooks.active")}</span>
}

export function pendingText({ pending }: Pick<WebhookListed, "pending">): string {
  return pending < PENDING_LIMIT ? String(pending) : t("webhooks.orMore", { count: pending })
}

export function typesText({ subscriptions }: Pick<WebhookListed, "subscriptions">): string {
  return subscriptions.includes("*") ? t("webhooks.all") : subscriptions.join(", ")
}
