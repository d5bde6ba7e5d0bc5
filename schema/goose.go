package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Goose is the block of goose, after its recipe and custom-agent references
// and what client 1.52.0 accepts. An agent file carries name, description and
// model alone; the other keys need format: recipe.
type Goose struct {
	BlockCommon
	// Format of the file. Default: agent.
	Format string `json:"format,omitempty" jsonschema:"enum=agent,enum=recipe"`
	// Model id, sent to the provider as it is.
	Model string `json:"model,omitempty" jsonschema:"minLength=1"`
	// Provider of the model (recipe).
	Provider string `json:"provider,omitempty" jsonschema:"minLength=1"`
	// Title of the recipe. Default: the entry's title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Version of the recipe. Default: the entry's version.
	Version string `json:"version,omitempty" jsonschema:"minLength=1"`
	// Activities shown in the desktop application (recipe).
	Activities []string `json:"activities,omitempty"`
	// Extensions of goose run --recipe. Absent: inherited; empty: none. Ignored when the recipe is delegated to.
	Extensions []GooseExtension `json:"extensions,omitempty"`
	// Parameters of the recipe. {{ KEY }} in its texts stands for the value; any other braces are literal text.
	Parameters []GooseParameter `json:"parameters,omitempty"`
	// Prompt is the first user message of goose run --recipe.
	Prompt string `json:"prompt,omitempty" jsonschema:"pattern=\\S"`
	// Settings of the model (recipe).
	Settings *GooseSettings `json:"settings,omitempty"`
	// SubRecipes that the recipe may call.
	SubRecipes []GooseSubRecipe `json:"sub_recipes,omitempty"`
	// Response is the structured answer that the recipe must give.
	Response *GooseResponse `json:"response,omitempty"`
	// Retry the recipe until its checks pass.
	Retry *GooseRetry `json:"retry,omitempty"`
}

// GooseDefaults is [Goose] in defaults.
type GooseDefaults struct {
	Goose
	// Models maps a tier to a model.
	Models Models `json:"models,omitempty"`
}

// GooseExtension is an extension of a recipe. Which keys it needs depends on its type.
type GooseExtension struct {
	// Type of extension.
	Type string `json:"type" jsonschema:"required,enum=builtin,enum=platform,enum=stdio,enum=streamable_http"`
	// Name of the extension.
	Name string `json:"name" jsonschema:"required,minLength=1"`
	// Description of the extension.
	Description string `json:"description,omitempty"`
	// DisplayName of the extension (builtin, platform).
	DisplayName string `json:"display_name,omitempty"`
	// Cmd that a stdio server is started with.
	Cmd string `json:"cmd,omitempty" jsonschema:"minLength=1"`
	// Args of the command (stdio). Default: none.
	Args []string `json:"args,omitempty"`
	// Cwd of the command (stdio).
	Cwd string `json:"cwd,omitempty"`
	// URI of the server (streamable_http).
	URI string `json:"uri,omitempty" jsonschema:"minLength=1"`
	// Envs of the server (stdio, streamable_http).
	Envs map[string]string `json:"envs,omitempty"`
	// EnvKeys are taken from goose's secrets (stdio, streamable_http).
	EnvKeys []string `json:"env_keys,omitempty"`
	// Headers to send (streamable_http).
	Headers map[string]string `json:"headers,omitempty"`
	// Socket to connect through (streamable_http).
	Socket string `json:"socket,omitempty"`
	// ClientID for OAuth (streamable_http).
	ClientID string `json:"client_id,omitempty"`
	// ClientSecretKey for OAuth (streamable_http).
	ClientSecretKey string `json:"client_secret_key,omitempty"`
	// Scopes for OAuth (streamable_http).
	Scopes []string `json:"scopes,omitempty"`
	// Timeout in seconds.
	Timeout *int `json:"timeout,omitempty" jsonschema:"minimum=1"`
	// Bundled with goose.
	Bundled *bool `json:"bundled,omitempty"`
	// AvailableTools by bare name. Empty means all of them, as does leaving it out.
	AvailableTools []string `json:"available_tools,omitempty"`
}

// GooseParameter is a parameter of a recipe.
type GooseParameter struct {
	// Key by which the recipe uses it.
	Key string `json:"key" jsonschema:"required,pattern=^[A-Za-z_][A-Za-z0-9_]*$"`
	// InputType of the value.
	InputType string `json:"input_type" jsonschema:"required,enum=string,enum=number,enum=boolean,enum=date,enum=file,enum=select"`
	// Requirement: an optional one needs a default.
	Requirement string `json:"requirement" jsonschema:"required,enum=required,enum=optional,enum=user_prompt"`
	// Description of the value.
	Description string `json:"description" jsonschema:"required"`
	// Default value.
	Default *string `json:"default,omitempty"`
	// Options to choose from (select).
	Options []string `json:"options,omitempty"`
}

// GooseSettings are the settings of the model.
type GooseSettings struct {
	// GooseProvider of the model.
	GooseProvider string `json:"goose_provider,omitempty" jsonschema:"minLength=1"`
	// GooseModel id.
	GooseModel string `json:"goose_model,omitempty" jsonschema:"minLength=1"`
	// Temperature of sampling.
	Temperature *float64 `json:"temperature,omitempty"`
	// MaxTurns of the recipe.
	MaxTurns *int `json:"max_turns,omitempty" jsonschema:"minimum=1"`
}

// GooseSubRecipe is a recipe that the recipe may call.
type GooseSubRecipe struct {
	// Name by which it is called.
	Name string `json:"name" jsonschema:"required,minLength=1"`
	// Path relative to the recipe.
	Path string `json:"path" jsonschema:"required,minLength=1"`
	// Values for its parameters.
	Values map[string]string `json:"values,omitempty"`
	// SequentialWhenRepeated runs repeated calls one after the other.
	SequentialWhenRepeated *bool `json:"sequential_when_repeated,omitempty"`
	// Description of what it does.
	Description string `json:"description,omitempty"`
}

// GooseResponse is the structured answer of a recipe.
type GooseResponse struct {
	// JSONSchema of the answer.
	JSONSchema Value `json:"json_schema" jsonschema:"required"`
}

// Check says whether the answer's JSON Schema is one that compiles without
// anything from outside: goose fetches nothing and refuses the recipe. Observed
// on 1.52.0.
func (r *GooseResponse) Check() error {
	if r.JSONSchema.Node == nil || len(r.JSONSchema.Fields) == 0 {
		return errors.New("the schema is empty")
	}
	data, err := json.Marshal(r.JSONSchema.Interface())
	if err != nil {
		return fmt.Errorf("writing the schema as JSON: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("reading the schema back: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // which knows no scheme
	const url = "response.json"
	if err := c.AddResource(url, doc); err != nil {
		return err
	}
	_, err = c.Compile(url)
	return err
}

// GooseRetry runs a recipe again until its checks pass.
type GooseRetry struct {
	// MaxRetries before it gives up.
	MaxRetries int `json:"max_retries" jsonschema:"required,minimum=1"`
	// Checks that must all pass.
	Checks []GooseCheck `json:"checks" jsonschema:"required,minItems=1"`
	// OnFailure is a command run after a failed attempt.
	OnFailure string `json:"on_failure,omitempty" jsonschema:"minLength=1"`
	// TimeoutSeconds of a check.
	TimeoutSeconds *int `json:"timeout_seconds,omitempty" jsonschema:"minimum=1"`
	// OnFailureTimeoutSeconds of the command.
	OnFailureTimeoutSeconds *int `json:"on_failure_timeout_seconds,omitempty" jsonschema:"minimum=1"`
}

// GooseCheck is a check of a retry.
type GooseCheck struct {
	// Type of check.
	Type string `json:"type" jsonschema:"required,enum=shell"`
	// Command that must exit with 0.
	Command string `json:"command" jsonschema:"required,minLength=1"`
}
