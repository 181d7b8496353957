import type { OperatorSession } from "~/billing/operators/operators"
import type { Services } from "~/context/services.server"
import { type Instant, MINUTE } from "~/domain/calendar"

/** How long an operator sees the pages of a customer after giving a reason. */
const VIEW_PERIOD = 15 * MINUTE

type Signing = Pick<Services, "signer" | "now">
type Session = Pick<OperatorSession, "id">

/** Query of the address at which this session, and no other, sees a customer's pages for 15 minutes. */
export function newCustomerView({ signer, now }: Signing, session: Session, customerId: string): string {
  const until = now() + VIEW_PERIOD
  const signature = signer.sign(signedText(session, customerId, until))
  return new URLSearchParams({ until: String(until), signature }).toString()
}

/** When the view of an address ends; null if it has ended, or is not one of this session. */
export function customerViewEnd(
  { signer, now }: Signing,
  session: Session,
  { customerId, query }: { readonly customerId: string; readonly query: URLSearchParams },
): Instant | null {
  const until = Number(query.get("until"))
  const isSigned = signer.verify(signedText(session, customerId, until), query.get("signature") ?? "")
  return isSigned && now() < until ? until : null
}

function signedText({ id }: Session, customerId: string, until: Instant): string {
  return `console-view ${id} ${customerId} ${until}`
}
