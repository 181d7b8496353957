import { Form, Link } from "react-router"
import { SupportLink } from "../layout/support-link"

type Shown = {
  readonly heading: string
  readonly lead: string
  readonly leave: { readonly text: string; readonly path: string }
}

type AskShown = Shown & {
  readonly step: "ask"
  readonly typed: { readonly order: string; readonly email: string }
  /** Why the order cannot be withdrawn from; null: nothing is wrong. */
  readonly problem: string | null
  readonly texts: Readonly<Record<"order" | "email" | "next", string>>
}

type FoundShown = Shown & {
  readonly step: "confirm" | "done"
  readonly order: string
  readonly declaration: string
  readonly confirm: string
}

/** The page of a withdrawal, with all its texts in the visitor's language. */
export type WithdrawalView = AskShown | FoundShown

/** Two steps: the order, then the declaration; and the acknowledgement. */
export function WithdrawalScreen({ view }: { view: WithdrawalView }) {
  const { step, heading, lead, leave } = view
  return (
    <section className="card narrow refused withdrawal">
      <h1>{heading}</h1>
      <p className="lead" role={step === "done" ? "status" : undefined}>
        {lead}
      </p>
      {view.step === "ask" && <AskForm view={view} />}
      {view.step === "confirm" && <ConfirmForm view={view} />}
      <Link className="quiet" to={leave.path} reloadDocument>
        {leave.text}
      </Link>
    </section>
  )
}

function AskForm({ view: { texts, typed, problem } }: { view: AskShown }) {
  const describedBy = problem === null ? undefined : "withdrawal-problem"
  return (
    <Form method="post" reloadDocument>
      {problem !== null && (
        <div className="problems" role="alert">
          <p id="withdrawal-problem">{problem}</p>
          <SupportLink />
        </div>
      )}
      <label className="field" htmlFor="withdrawal-order">
        {texts.order}
      </label>
      <input
        id="withdrawal-order"
        name="order"
        defaultValue={typed.order}
        required
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-describedby={describedBy}
      />
      <label className="field" htmlFor="withdrawal-email">
        {texts.email}
      </label>
      <input
        id="withdrawal-email"
        name="email"
        type="email"
        defaultValue={typed.email}
        required
        maxLength={254}
        autoComplete="email"
        aria-describedby={describedBy}
      />
      <button className="main">{texts.next}</button>
    </Form>
  )
}

function ConfirmForm({ view: { order, declaration, confirm } }: { view: FoundShown }) {
  return (
    <Form method="post" reloadDocument>
      <p>{declaration}</p>
      <input type="hidden" name="order" value={order} />
      <button className="large" name="intent" value="withdraw">
        {confirm}
      </button>
    </Form>
  )
}
