import type { Approval } from "~/billing/operators/approvals"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { FormKey, type ProofAsked, ProofFields, ReasonField } from "../form-parts.server"

export type OpenRequest = Pick<
  Approval,
  "id" | "action" | "amount" | "details" | "operator" | "reason" | "expiresAt" | "decision"
> & {
  /** Another operator has asked, and the role may confirm. */
  readonly mayDecide: boolean
  /** Whose access is too new for a confirmation, and until when. */
  readonly newAccess: { readonly whose: "asker" | "confirmer"; readonly until: Instant } | null
}

type OpenRequestsProps = {
  requests: readonly OpenRequest[]
  newKey: () => string
  proof: ProofAsked
  /** The form that was refused. */
  typed: { readonly target?: string | undefined; readonly reason: string } | null
  timeZone: string
}

/** What waits for a second operator, with the form that confirms or refuses it. */
export function OpenRequests(props: OpenRequestsProps) {
  return props.requests.map((request) => <OpenRequestCard key={request.id} request={request} {...props} />)
}

type OneRequestProps = OpenRequestsProps & { request: OpenRequest }

function OpenRequestCard(props: OneRequestProps) {
  const { request, timeZone } = props
  const { action, amount, details, operator, reason, expiresAt, decision, mayDecide } = request
  return (
    <section className="card">
      <h2>{t(`approvals.actions.${action}`, { amount: amountText(amount) })}</h2>
      <p>
        {t("approvals.asked", { operator, reason })}{" "}
        {decision === null
          ? t("approvals.until", { until: localText(expiresAt, timeZone) })
          : t("approvals.unfinished")}
      </p>
      {details.toCredit && <p>{t("approvals.toCredit")}</p>}
      {mayDecide ? <Decision {...props} /> : <p>{t("approvals.waits")}</p>}
    </section>
  )
}

function Decision(props: OneRequestProps) {
  const { newAccess, operator, decision } = props.request
  if (newAccess === null) return <DecisionForm {...props} />
  const { whose, until } = newAccess
  return (
    <>
      <p>{t(`approvals.newAccess.${whose}`, { operator, until: localText(until, props.timeZone) })}</p>
      {/* What was confirmed and not carried out cannot be refused any more. */}
      {decision === null && <DecisionForm {...props} />}
    </>
  )
}

function DecisionForm({ request: { id, decision, newAccess }, newKey, proof, typed }: OneRequestProps) {
  const isRefused = typed?.target === id
  return (
    <form method="post">
      <FormKey value={newKey()} />
      <input type="hidden" name="target" value={id} />
      <ReasonField id={`request-${id}`} value={isRefused ? typed.reason : ""} />
      <ProofFields
        isProven={proof.isProven}
        problem={isRefused ? proof.problem : null}
        form={`request-${id}`}
      />
      <div className="buttons">
        {newAccess === null && (
          <button className="button main" type="submit" name="action" value="confirm-action">
            {t("approvals.confirm")}
          </button>
        )}
        {decision === null && (
          <button className="button destroys" type="submit" name="action" value="refuse-action">
            {t("approvals.refuse")}
          </button>
        )}
      </div>
    </form>
  )
}
