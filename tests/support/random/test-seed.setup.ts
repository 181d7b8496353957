import { seedFrom } from "./test-seed"

const seed = seedFrom(process.env)

// Without a seed fast-check draws one for each property, and names it where the property fails.
if (seed !== null) {
  const { configureGlobal } = await import("fast-check")
  configureGlobal({ seed })
}
