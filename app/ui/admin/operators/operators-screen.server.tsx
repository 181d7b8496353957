import type { OperatorListed } from "~/billing/operators/operators"
import { localText } from "~/domain/local-time"
import { operatorRoles, roleDescriptions } from "~/domain/operators/operator"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import {
  type ActionNotice,
  Choices,
  Field,
  FormKey,
  FormNotice,
  type ProofAsked,
  ProofFields,
  ReasonField,
} from "../form-parts.server"
import { ListTable } from "../list-parts.server"

/** What was typed in a form that was refused. */
export type TypedOperator = { readonly email: string; readonly role: string; readonly reason: string }

type OperatorsProps = {
  operators: readonly OperatorListed[]
  ownId: string
  /** Whether the role of who asks may add operators. */
  mayAdd: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  typed: TypedOperator | null
  timeZone: string
}

/** The operators of the console; an owner adds one. */
export function OperatorsScreen(props: OperatorsProps) {
  const { operators, ownId, mayAdd, notice, timeZone } = props
  return (
    <>
      <div className="title">
        <h1>{t("operators.title")}</h1>
        <p>{t("operators.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <ListTable
          label={t("operators.title")}
          heads={[
            { text: "operators.operator" },
            { text: "operators.role" },
            { text: "operators.state" },
            { text: "operators.used" },
          ]}
        >
          {operators.map((operator) => (
            <tr key={operator.id}>
              <td>
                <a href={operatorHref(operator.id)}>{operator.email}</a>
                {operator.id === ownId && ` (${t("operators.you")})`}
              </td>
              <td>{t(`frame.roles.${operator.role}`)}</td>
              <td>
                <OperatorPill operator={operator} />
              </td>
              <td data-label={t("operators.used")}>{usedText(operator, timeZone)}</td>
            </tr>
          ))}
        </ListTable>
      </section>
      {mayAdd && <AddForm {...props} />}
    </>
  )
}

function AddForm({ formKey, proof, typed }: Pick<OperatorsProps, "formKey" | "proof" | "typed">) {
  return (
    <section className="card">
      <h2>{t("operators.add")}</h2>
      <p>{t("operators.addLead")}</p>
      <form method="post">
        <FormKey value={formKey} />
        <Field
          name="email"
          label={t("operators.email")}
          type="email"
          autoComplete="off"
          value={typed?.email ?? ""}
        />
        <Choices
          name="role"
          label={t("operators.role")}
          choices={operatorRoles.map((role) => ({
            value: role,
            text: `${t(`frame.roles.${role}`)}: ${roleDescriptions[role]}`,
          }))}
          chosen={typed?.role ?? "support"}
        />
        <ReasonField id="reason" value={typed?.reason ?? ""} />
        <ProofFields {...proof} form="add" />
        <button className="button main" type="submit">
          {t("operators.add")}
        </button>
      </form>
    </section>
  )
}

/** Address of an operator's page. */
function operatorHref(id: string): string {
  return consoleHref(`/admin/operators/${encodeURIComponent(id)}`)
}

export function OperatorPill({ operator }: { operator: Pick<OperatorListed, "disabledAt" | "isSetUp"> }) {
  if (operator.disabledAt !== null) return <span className="pill bad">{t("operators.disabled")}</span>
  return (
    <span className={operator.isSetUp ? "pill good" : "pill plain"}>
      {t(operator.isSetUp ? "operators.active" : "operators.invited")}
    </span>
  )
}

export function usedText({ usedAt }: Pick<OperatorListed, "usedAt">, timeZone: string): string {
  return usedAt === null ? t("operators.never") : localText(usedAt, timeZone)
}
