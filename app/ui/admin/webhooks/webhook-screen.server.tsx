import type { WebhookDelivery, WebhookEndpoint } from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { printable } from "~/domain/printable"
import { deliveryStates, type WebhookDeliveryState } from "~/domain/webhooks/delivery"
import type { EndpointAction } from "~/domain/webhooks/endpoint-actions"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormKey, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { Fact, ListPages, ListTable } from "../list-parts.server"
import { type TypedEndpoint, WebhookFields } from "./webhook-fields.server"
import {
  pendingText,
  typesText,
  type WebhookListed,
  WebhookPill,
  webhookHref,
} from "./webhooks-screen.server"

/** What was typed in a form that was refused. */
export type TypedWebhookForm = TypedEndpoint & {
  readonly action: EndpointAction
  readonly event: string
  readonly from: string
  readonly until: string
}

type WebhookProps = {
  endpoint: WebhookListed &
    Pick<WebhookEndpoint, "pausedAt" | "createdAt"> & { readonly formerUntil: Instant | null }
  log: {
    /** Newest event first. */
    readonly deliveries: readonly WebhookDelivery[]
    /** Null: those in any state. */
    readonly state: WebhookDeliveryState | null
    /** Position before which older ones are; null on the last page. */
    readonly older: number | null
    readonly isNewest: boolean
  }
  /** What a receiver answers may contain data of customers. */
  seesResponses: boolean
  /** What the role of who asks and the state allow. */
  actions: readonly EndpointAction[]
  /** Those that need password and code. */
  provenActions: readonly EndpointAction[]
  seen: string
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  typed: TypedWebhookForm | null
  timeZone: string
}

/** An endpoint: its state, what was sent to it and what it has answered, and what may be done. */
export function WebhookScreen(props: WebhookProps) {
  const { endpoint, notice } = props
  return (
    <>
      <div className="title">
        <h1 className="breaks">{endpoint.description || endpoint.address}</h1>
        <WebhookPill endpoint={endpoint} />
      </div>
      <FormNotice notice={notice} />
      {endpoint.pauseReason !== null && (
        <Notice kind="warning">
          {t(`webhooks.why.${endpoint.pauseReason}`)} {t("webhooks.kept")}
        </Notice>
      )}
      <div className="with-side">
        <div>
          <section className="card">
            <Facts {...props} />
          </section>
          <Deliveries {...props} />
        </div>
        <div>
          <Actions {...props} />
        </div>
      </div>
      <p>
        <a href={consoleHref("/admin/webhooks")}>{t("webhooks.toList")}</a>
      </p>
    </>
  )
}

function Facts({ endpoint, timeZone }: Pick<WebhookProps, "endpoint" | "timeZone">) {
  const { address, pausedAt, holdUntil, failingSince, succeededAt, formerUntil, createdAt } = endpoint
  const moment = (at: Instant | null) => (at === null ? t("webhooks.never") : localText(at, timeZone))
  return (
    <dl className="facts">
      <Fact name="webhooks.address">{address}</Fact>
      <Fact name="webhooks.types">{typesText(endpoint)}</Fact>
      <Fact name="webhooks.pending">{pendingText(endpoint)}</Fact>
      <Fact name="webhooks.succeededAt">{moment(succeededAt)}</Fact>
      {failingSince !== null && <Fact name="webhooks.since">{moment(failingSince)}</Fact>}
      {pausedAt !== null && <Fact name="webhooks.pausedAt">{moment(pausedAt)}</Fact>}
      {holdUntil !== null && <Fact name="webhooks.holdUntil">{moment(holdUntil)}</Fact>}
      {formerUntil !== null && <Fact name="webhooks.formerSigns">{moment(formerUntil)}</Fact>}
      <Fact name="webhooks.createdAt">{moment(createdAt)}</Fact>
    </dl>
  )
}

function Deliveries(props: WebhookProps) {
  const { endpoint, log } = props
  const { deliveries, state, older, isNewest } = log
  const path = webhookHref(endpoint.id)
  const filter = state === null ? "" : `state=${state}`
  const newest = filter === "" ? path : `${path}?${filter}`
  return (
    <section className="card">
      <h2>{t("webhooks.deliveries")}</h2>
      <search>
        <form method="get" action={path} className="row search">
          <p className="field grow">
            <label htmlFor="state">{t("webhooks.state")}</label>
            <select id="state" name="state" defaultValue={state ?? ""}>
              <option value="">{t("webhooks.any")}</option>
              {deliveryStates.map((it) => (
                <option key={it} value={it}>
                  {t(`webhooks.deliveryStates.${it}`)}
                </option>
              ))}
            </select>
          </p>
          <button className="button" type="submit">
            {t("list.apply")}
          </button>
        </form>
      </search>
      {deliveries.length === 0 ? <p>{t("webhooks.noDeliveries")}</p> : <DeliveryTable {...props} />}
      <ListPages
        links={{
          older: older === null ? null : `${path}?${[filter, `before=${older}`].filter(Boolean).join("&")}`,
          newer: null,
          newest: isNewest ? null : newest,
        }}
      />
    </section>
  )
}

function DeliveryTable({ endpoint, log, actions, newKey, seesResponses, timeZone }: WebhookProps) {
  const mayRedeliver = actions.includes("redeliver-webhook")
  return (
    <ListTable
      label={t("webhooks.deliveries")}
      heads={[
        { text: "webhooks.event" },
        { text: "webhooks.state" },
        { text: "webhooks.answer" },
        { text: "webhooks.tries", isNumber: true },
        { text: "webhooks.again" },
      ]}
    >
      {log.deliveries.map((delivery) => (
        <tr key={delivery.eventId}>
          <td>
            <strong>{delivery.type}</strong>
            <p className="second">{localText(delivery.at, timeZone)}</p>
            <p className="second mono">{delivery.eventId}</p>
          </td>
          <td>
            <StatePill state={delivery.state} />
          </td>
          <td>
            <Answer
              delivery={delivery}
              isPaused={endpoint.pausedAt !== null}
              seesResponses={seesResponses}
              timeZone={timeZone}
            />
          </td>
          <td className="number" data-label={t("webhooks.tries")}>
            {delivery.tries}
          </td>
          <td>
            {mayRedeliver && (
              <form method="post">
                <FormKey value={newKey()} />
                <input type="hidden" name="action" value="redeliver-webhook" />
                <input type="hidden" name="event" value={delivery.eventId} />
                <button
                  className="button"
                  type="submit"
                  aria-label={t("webhooks.sendThisAgain", { event: delivery.eventId })}
                >
                  {t("webhooks.sendAgain")}
                </button>
              </form>
            )}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function StatePill({ state }: { state: WebhookDeliveryState }) {
  const kinds = { waiting: "plain", delivered: "good", failed: "bad", skipped: "plain" } as const
  return <span className={`pill ${kinds[state]}`}>{t(`webhooks.deliveryStates.${state}`)}</span>
}

type AnswerProps = {
  delivery: WebhookDelivery
  isPaused: boolean
  seesResponses: boolean
  timeZone: string
}

/** The outcome of the last try, when the next one is unless the endpoint is paused, and what the receiver has written. */
function Answer({ delivery, isPaused, seesResponses, timeZone }: AnswerProps) {
  const { status, error, response, due, triedAt, tookMs } = delivery
  const outcome = error ?? (status === null ? t("webhooks.notTried") : t("webhooks.status", { status }))
  return (
    <>
      <p>{outcome}</p>
      {triedAt !== null && (
        <p className="second">
          {t("webhooks.tried", { at: localText(triedAt, timeZone), took: tookMs ?? 0 })}
        </p>
      )}
      {due !== null && !isPaused && (
        <p className="second">{t("webhooks.next", { at: localText(due, timeZone) })}</p>
      )}
      {seesResponses && response !== null && response !== "" && (
        <details>
          <summary>{t("webhooks.response")}</summary>
          <pre className="answer">{printable(response)}</pre>
        </details>
      )}
    </>
  )
}

function Actions(props: WebhookProps) {
  const { actions, newKey } = props
  return (
    <section className="card">
      <h2>{t("action.title")}</h2>
      {actions.length === 0 && <p>{t("action.nothing")}</p>}
      {actions.includes("test-webhook") && (
        <form method="post">
          <FormKey value={newKey()} />
          <input type="hidden" name="action" value="test-webhook" />
          <button className="button main" type="submit">
            {t("webhooks.test")}
          </button>
        </form>
      )}
      {actions.map(
        (action) => action !== "test-webhook" && <Action {...props} key={action} action={action} />,
      )}
    </section>
  )
}

type ReasonedAction = Exclude<EndpointAction, "test-webhook">

function Action({ action, ...props }: WebhookProps & { action: ReasonedAction }) {
  const { endpoint, provenActions, seen, newKey, proof, typed } = props
  const refused = typed?.action === action && typed.event === "" ? typed : null
  return (
    <ActionForm
      action={action}
      name={t(`webhooks.actions.${action}.name`)}
      now={nowText(endpoint)}
      after={t(`webhooks.actions.${action}.after`)}
      formKey={newKey()}
      seen={seen}
      refused={refused}
      proof={provenActions.includes(action) ? proof : null}
      destroys={action === "remove-webhook"}
    >
      <Fields endpoint={endpoint} action={action} typed={refused} />
    </ActionForm>
  )
}

function nowText(endpoint: WebhookProps["endpoint"]): string {
  const state = t(endpoint.state === "active" ? "webhooks.active" : "webhooks.paused")
  return `${state}, ${t("webhooks.waitingNow", { pending: pendingText(endpoint) })}`
}

type FieldsProps = Pick<WebhookProps, "endpoint"> & {
  action: EndpointAction
  typed: TypedWebhookForm | null
}

/** The fields that an action has besides the reason. */
function Fields({ action, endpoint, typed }: FieldsProps) {
  if (action === "edit-webhook") {
    const { address, subscriptions, description } = endpoint
    const value = typed ?? { url: address, types: subscriptions.join(","), description }
    return <WebhookFields form="edit" value={value} />
  }
  if (action !== "redeliver-webhook") return null
  return (
    <>
      <Moment name="from" value={typed?.from} isOptional={false} />
      <Moment name="until" value={typed?.until} isOptional />
    </>
  )
}

type MomentProps = { name: "from" | "until"; value: string | undefined; isOptional: boolean }

function Moment({ name, value, isOptional }: MomentProps) {
  const id = `redeliver-${name}`
  return (
    <p className="field">
      <label htmlFor={id}>{t(`webhooks.${name}`)}</label>
      <input id={id} name={name} type="datetime-local" required={!isOptional} defaultValue={value} />
    </p>
  )
}
