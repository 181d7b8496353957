import { Fragment } from "react"
import type { Logo } from "~/domain/shop/brand"
import type { FaintColour } from "~/domain/shop/brand-colours"
import {
  type BrandField,
  type BrandPart,
  deviceOfPart,
  messageOfPart,
  pathText,
  type TypedBrand,
  withoutSpareRows,
} from "~/domain/shop/brand-fields"
import { mailNames, consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"

type PartProps = {
  part: BrandPart
  fields: readonly BrandField[]
  values: TypedBrand
  /** What is wrong, by the path of the field, and what is wrong with none. */
  flaws: { readonly beside: TypedBrand; readonly others: readonly string[] }
  faint: readonly FaintColour[]
  /** The picture that is shown now, or was chosen for the preview. */
  logo: Logo | null
  version: number
  mayEdit: boolean
  /** The draft that the form goes on with; empty without one. */
  draft: string
  /** Whether the form that was refused takes the picture away. */
  hasNoPicture: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  refused: { readonly reason: string } | null
}

export function brandPartTitle(part: BrandPart): string {
  const message = messageOfPart(part)
  if (message) return t("brand.mailOf", { message: mailNames[message] ?? message })
  const device = deviceOfPart(part)
  if (device) return t("brand.setupOf", { device: t(`brand.devices.${device}`) })
  return isNamed(part) ? t(`brand.partNames.${part}`) : part
}

type NamedPart = "brand" | "logo" | "links" | "documents" | "methods" | "apps"

function isNamed(part: BrandPart): part is NamedPart {
  return messageOfPart(part) === null && deviceOfPart(part) === null
}

/** A part of brand and texts, and the form that changes it. */
export function BrandPartScreen(props: PartProps) {
  const { part, fields, values, flaws, version, mayEdit, draft, formKey, proof, notice, refused } = props
  return (
    <>
      <div className="title">
        <h1>{brandPartTitle(part)}</h1>
        <p>{t(`brand.hints.${hintOf(part)}`)}</p>
      </div>
      <FormNotice notice={notice} />
      {flaws.others.map((it) => (
        <Notice key={it} kind="bad">
          {it}
        </Notice>
      ))}
      <section className="card">
        <h2>{t("brand.values")}</h2>
        {groupsOf(part, withoutSpareRows(fields, values, 0)).map(({ title, fields: ofGroup }) => (
          <Fragment key={title}>
            {title !== null && <h3>{title}</h3>}
            <dl className="facts">
              {ofGroup.map((field) => (
                <Value key={pathText(field.path)} field={field} value={values[pathText(field.path)] ?? ""} />
              ))}
            </dl>
          </Fragment>
        ))}
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {!mayEdit && <p>{t("action.nothing")}</p>}
        {mayEdit && (
          <ActionForm
            action="edit-brand"
            name={t("brand.edit")}
            now={t("brand.editNow")}
            after={t("brand.editAfter")}
            formKey={formKey}
            seen={String(version)}
            refused={refused}
            proof={proof}
            hasFile={part === "logo"}
          >
            <input type="hidden" name="draft" value={draft} />
            {part === "logo" ? <PictureFields {...props} /> : <FieldGroups {...props} />}
            {hasPreview(part) && (
              <>
                <p>{t("brand.previewLead")}</p>
                <button className="button" type="submit" name="preview" value="on" formNoValidate>
                  {t("brand.preview")}
                </button>
              </>
            )}
          </ActionForm>
        )}
      </section>
      <p>
        <a href={consoleHref("/admin/brand")}>{t("brand.toList")}</a>
      </p>
    </>
  )
}

function hintOf(part: BrandPart): NamedPart | "mail" | "setup" {
  if (messageOfPart(part)) return "mail"
  return isNamed(part) ? part : "setup"
}

/** The preview shows the checkout and messages, which these are not on. */
function hasPreview(part: BrandPart): boolean {
  return part !== "documents" && listOf(part) === null
}

/** What a field is called, with its method, its row and its language. */
function labelOf({ name, locale, gateway, row }: BrandField): string {
  const parts = [gateway && gatewayName(gateway), t(`brand.fields.${name}`, { row: row ?? 0 })].filter(
    (it) => it !== null,
  )
  return `${parts.join(": ")}${locale === null ? "" : ` (${locale})`}`
}

function Value({ field, value }: { field: BrandField; value: string }) {
  const shown = field.kind === "switch" ? t(value === "on" ? "brand.yes" : "brand.no") : value
  return (
    <div>
      <dt>{labelOf(field)}</dt>
      <dd className="breaks">{shown === "" ? "–" : shown}</dd>
    </div>
  )
}

/** Fields that belong together: those of an app, those of a step; all of another part. */
function groupsOf(part: BrandPart, fields: readonly BrandField[]) {
  const list = listOf(part)
  if (list === null) return [{ title: null, fields }]
  return [...Map.groupBy(fields, ({ row }) => row ?? 0)].map(([row, ofRow]) => ({
    title: t(`brand.rows.${list}`, { row }),
    fields: ofRow,
  }))
}

function listOf(part: BrandPart): "apps" | "setup" | null {
  if (deviceOfPart(part)) return "setup"
  return part === "apps" ? part : null
}

/** Empty rows that a list has below those that are filled in. */
const EMPTY_ROWS = 2

function FieldGroups(props: PartProps) {
  const { part, fields, values } = props
  return groupsOf(part, withoutSpareRows(fields, values, EMPTY_ROWS)).map(({ title, fields: ofGroup }) =>
    title === null ? (
      <Fields key={title} {...props} fields={ofGroup} />
    ) : (
      <fieldset key={title}>
        <legend>{title}</legend>
        <Fields {...props} fields={ofGroup} />
      </fieldset>
    ),
  )
}

function Fields({ fields, values, flaws, faint }: Pick<PartProps, "fields" | "values" | "flaws" | "faint">) {
  return fields.map((field) => {
    const id = pathText(field.path)
    const value = values[id] ?? ""
    if (field.kind === "switch")
      return <Switch key={id} field={field} value={value} flaw={flaws.beside[id]} />
    const faded = faint.find(({ scheme }) => scheme === field.name)
    return (
      <ValueField
        key={id}
        field={field}
        value={value}
        flaw={flaws.beside[id]}
        note={faded && t("brand.faint", { ratio: String(faded.ratio), ink: faded.ink })}
      />
    )
  })
}

type ValueFieldProps = {
  field: BrandField
  value: string
  flaw: string | undefined
  note: string | undefined
}

function ValueField({ field, value, flaw, note }: ValueFieldProps) {
  const id = pathText(field.path)
  const describedBy = [flaw !== undefined && `${id}-flaw`, note !== undefined && `${id}-note`]
    .filter((it) => it !== false)
    .join(" ")
  return (
    <p className="field">
      <label htmlFor={id}>{labelOf(field)}</label>
      <input
        id={id}
        name={id}
        inputMode={field.kind === "number" ? "numeric" : undefined}
        defaultValue={value}
        autoComplete="off"
        aria-invalid={flaw === undefined ? undefined : true}
        aria-describedby={describedBy === "" ? undefined : describedBy}
      />
      {flaw !== undefined && (
        <small id={`${id}-flaw`} className="flaw">
          {flaw}
        </small>
      )}
      {note !== undefined && <small id={`${id}-note`}>{note}</small>}
    </p>
  )
}

type SwitchProps = { field: BrandField; value: string; flaw: string | undefined }

function Switch({ field, value, flaw }: SwitchProps) {
  const id = pathText(field.path)
  return (
    <>
      <label className="check" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          name={id}
          value="on"
          defaultChecked={value === "on"}
          aria-invalid={flaw === undefined ? undefined : true}
          aria-describedby={flaw === undefined ? undefined : `${id}-flaw`}
        />
        <span>{labelOf(field)}</span>
      </label>
      {flaw !== undefined && (
        <small id={`${id}-flaw`} className="flaw">
          {flaw}
        </small>
      )}
    </>
  )
}

function PictureFields({ fields, values, flaws, logo, draft, hasNoPicture }: PartProps) {
  const flaw = Object.values(flaws.beside)[0] ?? flaws.others[0]
  return (
    <>
      <Picture logo={logo} draft={draft} />
      <p className="field">
        <label htmlFor="file">{t("brand.file")}</label>
        <input
          id="file"
          name="file"
          type="file"
          accept="image/png,image/svg+xml"
          aria-invalid={flaw === undefined ? undefined : true}
          aria-describedby="file-hint"
        />
        <small id="file-hint" className={flaw === undefined ? undefined : "flaw"}>
          {flaw ?? t("brand.fileHint")}
        </small>
      </p>
      {fields.map((field) => (
        <Switch key={field.name} field={field} value={values[pathText(field.path)] ?? ""} flaw={undefined} />
      ))}
      <label className="check" htmlFor="none">
        <input id="none" type="checkbox" name="none" value="on" defaultChecked={hasNoPicture} />
        <span>{t("brand.none")}</span>
      </label>
    </>
  )
}

/** The picture that holds, or that of the draft: a form does not send a file twice. */
function Picture({ logo, draft }: Pick<PartProps, "logo" | "draft">) {
  if (!logo) return <p>{t("brand.noPicture")}</p>
  const path = draft === "" ? logo.path : `/admin/brand/logo/${encodeURIComponent(draft)}`
  return (
    <p>
      <img
        className={logo.isForDark ? undefined : "plate"}
        src={consoleHref(path)}
        width={logo.width}
        height={logo.height}
        alt={t("brand.picture")}
      />
    </p>
  )
}
