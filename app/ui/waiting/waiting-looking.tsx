import { Link } from "react-router"

/** The page for those who have paid while nothing has arrived, as texts in its language. */
export type LookingView = {
  readonly heading: string
  readonly lead: string
  /** How long it usually takes, and that a late payment counts. */
  readonly notes: readonly string[]
  readonly check: string
  readonly notPaid: string
  /** Null: no support is configured. */
  readonly support: { readonly text: string; readonly href: string } | null
}

/** What to do after a payment that has not arrived: look again, wait, ask. */
export function LookingForPayment({ looking }: { looking: LookingView }) {
  const { heading, lead, notes, check, notPaid, support } = looking
  return (
    <section className="card pay-card">
      <h1>{heading}</h1>
      <p className="lead">{lead}</p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {/* Stays on this page until something has arrived. */}
      <Link className="main button" to="?paid">
        {check}
      </Link>
      {support && (
        <a className="large button" href={support.href} rel="noreferrer">
          {support.text}
        </a>
      )}
      <Link className="quiet" to="?">
        {notPaid}
      </Link>
    </section>
  )
}
