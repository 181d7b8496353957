import { AddressText } from "../layout/address-text"

type EmailChange = {
  heading: string
  lead: string
  /** Label of the button; null without one. */
  submit: string | null
  /** URL of the form. */
  action: string
  signIn: { text: string; href: string } | null
}

/** The page of a link that stops or undoes a change of e-mail: opening it changes nothing. */
export function EmailChangeScreen({ heading, lead, submit, action, signIn }: EmailChange) {
  return (
    <section className="card sign-in">
      <h1>{heading}</h1>
      <p className="lead">
        <AddressText text={lead} />
      </p>
      {submit && (
        <form method="post" action={action}>
          <button className="main">{submit}</button>
        </form>
      )}
      {signIn && (
        <a className="quiet" href={signIn.href}>
          {signIn.text}
        </a>
      )}
    </section>
  )
}
