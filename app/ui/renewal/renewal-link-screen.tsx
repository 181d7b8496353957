import type { ComponentProps } from "react"
import { Link } from "react-router"
import type { RefusedForm } from "~/domain/refused-form"
import { AddressText } from "../layout/address-text"
import { DoneNotice } from "../layout/done-notice"
import { CheckIcon } from "../layout/icons"
import { type UnpaidOrder, UnpaidOrderNotice } from "../layout/unpaid-order"
import { LastTerm } from "./last-term"
import { RenewalPanel, type RenewalView } from "./renewal-panel"

/** The page of a renewal link, or of what was paid by one. */
export type RenewalLinkShown = {
  /** What is said of the order that was cancelled; null: nothing. */
  readonly cancelled: string | null
  readonly heading: string
  readonly notes: readonly string[]
  /** The visitor's own unpaid renewal of the service. */
  readonly unpaid: UnpaidOrder | null
  /** Null: there is nothing to pay. */
  readonly renewal: RenewalView | null
  readonly lastTerm: ComponentProps<typeof LastTerm> | null
  readonly isPaid: boolean
  readonly signIn: { readonly text: string; readonly action: string; readonly path: string }
}

type Shown = RenewalLinkShown & { readonly lastResult: RefusedForm | null | undefined }

/** Renewal without a sign-in: shows and changes nothing else of the service. */
export function RenewalLinkScreen(shown: Shown) {
  const { cancelled, heading, notes, unpaid, renewal, lastTerm, isPaid, signIn, lastResult } = shown
  return (
    <div className="narrow service">
      <DoneNotice text={cancelled} />
      <UnpaidOrderNotice order={unpaid} />
      <section className="card place">
        <header className={isPaid ? "done" : undefined}>
          {isPaid && <CheckIcon />}
          <div>
            <h1>{heading}</h1>
            {notes.map((note) => (
              <p key={note} className="lead">
                <AddressText text={note} />
              </p>
            ))}
          </div>
        </header>
        {renewal && <RenewalPanel renewal={renewal} lastResult={lastResult} />}
        {lastTerm && <LastTerm {...lastTerm} />}
      </section>
      <p className="note">
        {signIn.text}{" "}
        <Link className="quiet" to={signIn.path} reloadDocument>
          {signIn.action}
        </Link>
      </p>
    </div>
  )
}
