// @ts-expect-error: the file has no types of its own.
import agent from "../../../node_modules/undici/lib/dispatcher/agent.js"

export const Agent = agent
