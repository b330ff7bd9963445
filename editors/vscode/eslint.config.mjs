import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["out/", "node_modules/"] },
  ...tseslint.configs.strict,
  { rules: { "no-restricted-properties": ["error", { property: "innerHTML" }] } },
);
