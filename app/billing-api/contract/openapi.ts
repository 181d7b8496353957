import { z } from "zod"
import { BASE } from "~/domain/base-path"
import { type Call, calls, newClick } from "./endpoints"
import { Failure, failures } from "./error-codes"

/** The billing API as OpenAPI 3.1 has it, from the very shapes that calls are read by and answered in. */
export function apiDescription() {
  const described = Object.entries<Call>(calls).map(([name, call]) => [
    `${BASE}/api/${name}`,
    pathOf(name, call),
  ])
  return {
    openapi: "3.1.0",
    info: { title: "Billing API", version: "1", description: INTRODUCTION },
    paths: {
      ...Object.fromEntries(described),
      [`${BASE}/aff/new_click`]: pathOf("new_click", newClick),
    },
    components: {
      schemas: { Failure: shapeOf(Failure, "output") },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "x-api-key" },
        customer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
    },
  }
}

const INTRODUCTION = `Every call brings the operator's key. Calls about a customer bring his token besides, which
/auth and /resellerAuth give for a day. GET has everything in the query, POST in a JSON body; what is empty is not said.
Some GETs change something: they are not to be repeated blindly. Whoever has the key speaks for every customer: what he
shows to whom is his to decide.`

function pathOf(name: string, { method, owned, words, said, told }: Call) {
  const operation = {
    ...{ operationId: name, summary: words },
    security: [{ key: [], ...(owned && { customer: [] }) }],
    ...(method === "GET" ? { parameters: parametersOf(said) } : { requestBody: bodyOf(said) }),
    responses: { "200": { description: "Carried out", content: json(shapeOf(told, "output")) }, ...failed },
  }
  return { [method.toLowerCase()]: operation }
}

const Demanded = z.object({ required: z.array(z.string()).default([]) })

/** What must be said is asked of the whole: a text made of what is there would be made of nothing too. */
function parametersOf(said: z.ZodObject) {
  const { required } = Demanded.parse(shapeOf(said, "input"))
  return Object.entries(said.shape).map(([name, shape]) => ({
    ...{ name, in: "query", required: required.includes(name), schema: shapeOf(shape, "input") },
  }))
}

function bodyOf(said: z.ZodObject) {
  return { required: true, content: json(shapeOf(said, "input")) }
}

function json(schema: object) {
  return { "application/json": { schema } }
}

function shapeOf(shape: z.core.$ZodType, io: "input" | "output") {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" })
  return schema
}

const statuses = [...new Set(Object.values(failures))]

/** Which codes a status may stand for. */
function codesOf(status: number): string {
  const codes = Object.entries(failures).flatMap(([code, its]) => (its === status ? [code] : []))
  return codes.join(", ")
}

const failed = Object.fromEntries(
  statuses.map((status) => [
    String(status),
    { description: codesOf(status), content: json({ $ref: "#/components/schemas/Failure" }) },
  ]),
)
