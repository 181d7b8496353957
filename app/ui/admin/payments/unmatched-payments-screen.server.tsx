import type { UnmatchedPayment } from "~/billing/payments/unmatched-payments"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { Notice } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { ListTable } from "../list-parts.server"

type UnmatchedPaymentsProps = {
  payments: readonly UnmatchedPayment[]
  isOpen: boolean
  /** There are more than these. */
  isCut: boolean
  timeZone: string
}

/** Payments that match no order. */
export function UnmatchedPaymentsScreen({ payments, isOpen, isCut, timeZone }: UnmatchedPaymentsProps) {
  return (
    <>
      <div className="title">
        <h1>{t("unmatched.title")}</h1>
        <p>{t(isOpen ? "unmatched.lead" : "unmatched.handledLead")}</p>
      </div>
      <p className="buttons">
        <a href={consoleHref(`/admin/unmatched-payments${isOpen ? "?state=handled" : ""}`)}>
          {t(isOpen ? "unmatched.toHandled" : "unmatched.toOpen")}
        </a>
      </p>
      {isCut && <Notice kind="warning">{t("unmatched.more", { count: payments.length })}</Notice>}
      <section className="card">
        {payments.length === 0 ? (
          <p>{t(isOpen ? "unmatched.empty" : "unmatched.noneHandled")}</p>
        ) : (
          <PaymentTable payments={payments} timeZone={timeZone} />
        )}
      </section>
    </>
  )
}

function PaymentTable({ payments, timeZone }: Pick<UnmatchedPaymentsProps, "payments" | "timeZone">) {
  return (
    <ListTable
      label={t("unmatched.title")}
      heads={[
        { text: "unmatched.payment" },
        { text: "unmatched.gateway" },
        { text: "unmatched.amount", isNumber: true },
        { text: "unmatched.why" },
        { text: "unmatched.firstAt" },
        { text: "unmatched.state" },
      ]}
    >
      {payments.map(({ id, gateway, paymentId, amount, reason, firstAt, state }) => (
        <tr key={id}>
          <td>
            <a href={unmatchedHref(id)}>{paymentId ?? t("unmatched.unnamed")}</a>
          </td>
          <td>{gatewayName(gateway)}</td>
          <td className="number" data-label={t("unmatched.amount")}>
            {unmatchedAmountText(amount)}
          </td>
          <td>{t(`unmatched.reasons.${reason}`)}</td>
          <td>{localText(firstAt, timeZone)}</td>
          <td>{t(`unmatched.states.${state}`)}</td>
        </tr>
      ))}
    </ListTable>
  )
}

function unmatchedHref(id: string): string {
  return consoleHref(`/admin/unmatched-payments/${encodeURIComponent(id)}`)
}

export function unmatchedAmountText(amount: UnmatchedPayment["amount"]): string {
  return amount ? amountText(amount) : t("unmatched.unknownAmount")
}
