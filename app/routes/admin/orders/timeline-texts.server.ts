import type { TimelineTexts } from "~/flows/admin/orders/order-page.server"
import { approvalResults, eventTexts, mailNames, consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "~/ui/admin/amount-text.server"
import { gatewayName } from "~/ui/admin/gateway-name.server"

/** The timeline of an order in the console's words. */
export const timelineTexts: TimelineTexts = {
  amount: amountText,
  gateway: gatewayName,
  event: (kind) => eventTexts[kind] ?? kind,
  payment: (status) => t(`order.payments.${status}`),
  paymentNow: (status) => t("order.paymentNow", { status: t(`order.payments.${status}`).toLowerCase() }),
  coin: (kind) => t(`order.coins.${kind}`),
  notApplied: t("order.notApplied"),
  whyNotApplied: (reason) => t(`unmatched.reasons.${reason}`),
  elsewhere: ({ minor }) => t(minor < 0 ? "order.paidBackElsewhere" : "order.receivedElsewhere"),
  job: (topic) => t(`jobs.topics.${topic}`),
  jobState: (state) => t(`jobs.progress.${state}`),
  mail: (name) => mailNames[name] ?? name,
  mailState: (state) => t(`mail.states.${state}`),
  refund: (state) => t(`order.refundStates.${state}`),
  request: (action) => t(`approvals.names.${action}`),
  result: (result) => approvalResults[result] ?? result,
}
