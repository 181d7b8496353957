import { expect, test } from "vitest"
import type { z } from "zod"
import { EnvironmentSchema, environmentSections } from "~/config/environment.server"

const INTRODUCTION = `# Configuration

All settings are environment variables, read once at the start. A missing or invalid one stops the start, which names it; an
empty one counts as not set. A mistyped name, such as \`SMPT_URL\`, has no effect: the log (\`environment variable unknown\`) and \`doctor\`
name it. \`npm run admin -- doctor\` also checks the settings against the systems they name.

\`npm start\` and \`npm run admin\` read them from a file \`.env\` in the project's folder, too; the environment has precedence.
\`node build/server/index.js\` reads the environment alone.

A shop on loopback (\`PUBLIC_URL\` is \`http://127.0.0.1…\` or \`http://localhost…\`) needs no settings. Any other shop needs
\`PUBLIC_URL\`, \`SESSION_SECRETS\` and a gateway. Names of earlier versions work until the next release ([upgrading.md](upgrading.md)).

This page is generated from the schemas in \`app/config\`; \`npx vitest run tests/documents -u\` writes it again.
`

type Field = z.core.$ZodType & { meta(): { description?: string; default?: string } | undefined }

/** The default of a variable: the text of its description, or the schema's value. */
function defaultOf(field: Field): string {
  const described = field.meta()?.default
  if (described !== undefined) return described
  const { def } = field._zod
  if (def.type !== "default") return "none"
  const value = (def as z.core.$ZodDefaultDef).defaultValue
  return typeof value === "string" || typeof value === "number" ? `\`${value}\`` : "none"
}

/** The allowed values of a variable that takes one of a few. */
function choicesOf(field: z.core.$ZodType): string {
  const { def } = field._zod
  if (def.type === "default") return choicesOf((def as z.core.$ZodDefaultDef).innerType)
  if (def.type === "optional") return choicesOf((def as z.core.$ZodOptionalDef).innerType)
  if (def.type !== "enum") return ""
  const values = Object.values((def as z.core.$ZodEnumDef).entries)
  return ` One of ${values.map((value) => `\`${value}\``).join(", ")}.`
}

function rowOf(name: string, field: Field): string {
  const description = field.meta()?.description ?? ""
  return `| \`${name}\` | ${defaultOf(field)} | ${description}.${choicesOf(field)} |`
}

function sectionOf([title, fields]: [string, Record<string, unknown>]): string {
  const rows = Object.entries(fields).map(([name, field]) => rowOf(name, field as Field))
  return `\n## ${title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rows.join("\n")}\n`
}

test("docs/configuration.md lists every variable with its default and meaning", async () => {
  const sections = Object.entries(environmentSections).map(sectionOf)
  const page = `${INTRODUCTION}${sections.join("")}`
  await expect(page).toMatchFileSnapshot("../../docs/configuration.md")
})

test("every variable of the environment has a section and a description", () => {
  const listed = Object.values(environmentSections).flatMap((fields) => Object.keys(fields))
  expect(listed.toSorted()).toEqual(Object.keys(EnvironmentSchema.shape).toSorted())
  const undescribed = Object.entries(EnvironmentSchema.shape).filter(
    ([, field]) => !field.meta()?.description,
  )
  expect(undescribed.map(([name]) => name)).toEqual([])
})
