import type { UnmatchedPayment } from "~/billing/payments/unmatched-payments"
import { localText } from "~/domain/local-time"
import type { UnmatchedAction } from "~/domain/payments/unmatched-payment"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { Fact } from "../list-parts.server"
import { customerHref, orderHref } from "../record-links.server"
import { unmatchedAmountText } from "./unmatched-payments-screen.server"

/** What was typed in a form that was refused. */
export type TypedUnmatchedForm = {
  readonly action: UnmatchedAction
  readonly reason: string
  readonly reference?: string | undefined
  readonly order?: string | undefined
  readonly customer?: string | undefined
  readonly amount?: string | undefined
}

type UnmatchedPaymentProps = {
  payment: UnmatchedPayment
  /** What the role and the state allow. */
  actions: readonly UnmatchedAction[]
  /** Those that need password and code. */
  provenActions: readonly UnmatchedAction[]
  seen: string
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  typed: TypedUnmatchedForm | null
  timeZone: string
}

/** A payment that matches no order: what is known of it, what became of it, and what may be done. */
export function UnmatchedPaymentScreen(props: UnmatchedPaymentProps) {
  const { payment, notice, timeZone } = props
  return (
    <>
      <div className="title">
        <h1>{t("unmatched.payment")}</h1>
        <p>{t(`unmatched.states.${payment.state}`)}</p>
      </div>
      <FormNotice notice={notice} />
      {payment.takenBackFrom && <PaidBack {...payment.takenBackFrom} />}
      <section className="card">
        <Facts payment={payment} timeZone={timeZone} />
      </section>
      {payment.handling && <Handling {...payment.handling} timeZone={timeZone} />}
      <Actions {...props} />
      <p>
        <a href={consoleHref("/admin/unmatched-payments")}>{t("unmatched.toOpen")}</a>
      </p>
    </>
  )
}

function Facts({ payment, timeZone }: Pick<UnmatchedPaymentProps, "payment" | "timeZone">) {
  const { gateway, paymentId, attemptId, amount, reason, detail, reportedOrderId, count } = payment
  return (
    <dl className="facts">
      <Fact name="unmatched.amount">{unmatchedAmountText(amount)}</Fact>
      <Fact name="unmatched.gateway">{gatewayName(gateway)}</Fact>
      <Fact name="unmatched.paymentId">{paymentId ?? t("unmatched.unnamed")}</Fact>
      <Fact name="unmatched.attemptId">{attemptId ?? t("unmatched.unnamed")}</Fact>
      <Fact name="unmatched.why">{t(`unmatched.reasons.${reason}`)}</Fact>
      <Fact name="unmatched.detail">{detail}</Fact>
      <Fact name="unmatched.order">
        {reportedOrderId === null ? t("unmatched.noOrder") : <OrderLink id={reportedOrderId} />}
      </Fact>
      <Fact name="unmatched.firstAt">{localText(payment.firstAt, timeZone)}</Fact>
      <Fact name="unmatched.reports">{t("unmatched.reported", { count })}</Fact>
    </dl>
  )
}

/** What to do first: the money is still booked where it was assigned. */
function PaidBack({ orderId, customerId }: NonNullable<UnmatchedPayment["takenBackFrom"]>) {
  const path = orderId === null ? `/admin/customers/${customerId}` : `/admin/orders/${orderId}`
  return (
    <Notice kind="warning">
      {orderId === null ? t("unmatched.paidBackCustomer") : t("unmatched.paidBackOrder", { order: orderId })}{" "}
      <a href={consoleHref(path)}>{t(orderId === null ? "unmatched.toCustomer" : "unmatched.toOrder")}</a>
    </Notice>
  )
}

function OrderLink({ id }: { id: string }) {
  return <a href={orderHref(id)}>{id}</a>
}

type HandlingProps = NonNullable<UnmatchedPayment["handling"]> & { timeZone: string }

function Handling({ reference, orderId, customerId, operator, reason, at, timeZone }: HandlingProps) {
  return (
    <section className="card">
      <h2>{t("unmatched.handling")}</h2>
      <dl className="facts">
        {orderId !== null && (
          <Fact name="unmatched.assignedOrder">
            <OrderLink id={orderId} />
          </Fact>
        )}
        {customerId !== null && (
          <Fact name="unmatched.assignedCustomer">
            <a href={customerHref(customerId)}>{customerId}</a>
          </Fact>
        )}
        {reference !== null && <Fact name="unmatched.reference">{reference}</Fact>}
        <Fact name="unmatched.operator">{operator}</Fact>
        <Fact name="unmatched.handledAt">{localText(at, timeZone)}</Fact>
        <Fact name="unmatched.reason">{reason}</Fact>
      </dl>
    </section>
  )
}

function Actions(props: UnmatchedPaymentProps) {
  const { payment, actions, provenActions, seen, newKey, proof, typed } = props
  return (
    <section className="card">
      <h2>{t("action.title")}</h2>
      {actions.length === 0 && <p>{t("action.nothing")}</p>}
      {actions.map((action) => (
        <ActionForm
          key={action}
          action={action}
          name={t(`unmatched.actions.${action}.name`)}
          now={`${t(`unmatched.states.${payment.state}`)}, ${unmatchedAmountText(payment.amount)}`}
          after={t(`unmatched.actions.${action}.after`)}
          formKey={newKey()}
          seen={seen}
          refused={typed?.action === action ? typed : null}
          proof={provenActions.includes(action) ? proof : null}
          destroys={action === "dismiss-payment"}
        >
          <Fields action={action} payment={payment} typed={typed?.action === action ? typed : null} />
        </ActionForm>
      ))}
    </section>
  )
}

type FieldsProps = {
  action: UnmatchedAction
  payment: UnmatchedPayment
  typed: TypedUnmatchedForm | null
}

/** The fields that an action has besides the reason. */
function Fields({ action, payment, typed }: FieldsProps) {
  if (action === "dismiss-payment") return null
  if (action === "return-payment")
    return (
      <TextField
        id="return-payment-reference"
        name="reference"
        label={t("unmatched.reference")}
        value={typed?.reference}
        maxLength={200}
      />
    )
  return (
    <>
      {action === "assign-payment" ? (
        <TextField
          id="assign-payment-order"
          name="order"
          label={t("unmatched.orderNumber")}
          value={typed?.order ?? payment.reportedOrderId ?? undefined}
        />
      ) : (
        <TextField
          id="credit-payment-customer"
          name="customer"
          label={t("unmatched.customerEmail")}
          type="email"
          value={typed?.customer}
          maxLength={254}
        />
      )}
      <AmountField action={action} payment={payment} typed={typed} />
    </>
  )
}

function AmountField({ action, payment: { amount }, typed }: FieldsProps) {
  return (
    <TextField
      id={`${action}-amount`}
      name="amount"
      label={t(amount === null ? "unmatched.amountTyped" : "unmatched.amountOther")}
      value={typed?.amount}
      inputMode="decimal"
      isOptional={amount !== null}
    />
  )
}
