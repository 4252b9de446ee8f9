# Bolrach Push. Each target says in one line what it does; the work is in scripts/.
.PHONY: run test bench tour check format fuzz clean

run: ## set up, build, start everything on this machine and print ready-made curl lines
	@scripts/setup
	@scripts/build
	@exec .build/release/bolrach demo

test: ## install what is missing, build, and run the whole suite
	@scripts/test

tour: ## the main job once, end to end, on a throw-away set-up
	@scripts/setup
	@scripts/build
	@scripts/tour

bench: ## the figures, beside their peers, in one run
	@scripts/setup --bench
	@scripts/bench

check: ## formatting, imports, sizes, SQL rules
	@scripts/check

format: ## rewrite sources in the project's format
	@swift format -i -r Package.swift Sources Tests

fuzz: ## the readers of hostile bytes, twenty seconds each
	@scripts/fuzz

clean: ## remove what was built, and the demo's data
	@rm -rf .build .bolrach
