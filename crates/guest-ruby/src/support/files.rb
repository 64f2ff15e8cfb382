# What the guest itself calls, and how files, libraries and code are loaded.
module Fulmar
  # What the guest itself calls.
  module Guest # rubocop:disable Metrics/ModuleLength
    OWN_FILE = '<fulmar>'
    MAIN = TOPLEVEL_BINDING.receiver
    # A scope that sees none of what code at the top level has as its own.
    CLEAN = TOPLEVEL_BINDING.eval('lambda { binding }')

    # Kinds of what `convert` returns first.
    HANDLE, DATE, DECIMAL, OBJECT, LIST, SET, ARRAY, PLAIN = *0..7

    PROCESS = Process.pid
    FRAMES_MAX = 100
    CAUSES_MAX = 8

    @loaded = {}
    @loading = Monitor.new if defined?(Monitor)
    @evaluated = 0
    @sources = {}
    @at_exit = []

    module_function

    def own(name) = Fulmar.const_get(name)
    def value_error(text) = ArgumentError.new(text)
    def cancelled(text) = Cancelled.new(text)
    def root = MAIN

    def thrown(value)
      return JavaScriptError.new(value.to_s) unless value.is_a?(Hash)

      JavaScriptError.new(value['message'].to_s, name: value['name'] || 'Error', stack: value['stack'], reference: value['reference'])
    end

    # Files and libraries

    # `options['sources']`: texts by path, of a file and those beside it that an executable carries.
    def import(specifier, options)
      options = {} unless options.is_a?(Hash)
      forget = options['forget']
      return @loading.synchronize { forget_below(forget['folder'], forget['files']) } if forget

      reload(specifier) if options['reload']
      Embedded.add(options['sources']) if options['sources']
      @loading.synchronize { @loaded[specifier] ||= specifier.start_with?('/') ? load_file(specifier) : load_library(specifier) }
    end

    def reload(specifier)
      raise LoadError, "#{specifier} is not loaded again: that is done for files of the application" unless specifier.start_with?('/')

      @loading.synchronize { forget_below(File.dirname(specifier), nil) }
    end

    # Files below a folder are loaded anew with their next import, if one of `files` is loaded: those of them that are, or all.
    # Constants that they have made are gone, so that classes begin anew; objects of the old ones keep theirs.
    def forget_below(folder, files)
      folder = "#{File.realpath(folder)}/"
      loaded = $LOADED_FEATURES.select { |one| one.start_with?(folder) && one.end_with?('.rb') && !one.include?('/gems/') && !one.include?('/vendor/') }
      known = files.nil? ? loaded : loaded & files
      return [] if known.empty?

      Object.constants.each do |name|
        next if Object.autoload?(name)

        place, = Object.const_source_location(name, false)
        Object.send(:remove_const, name) if !place.nil? && loaded.include?(File.expand_path(place))
      end
      $LOADED_FEATURES.reject! { |one| loaded.include?(one) }
      @loaded.delete_if { |name, _| name.start_with?('/') && loaded.include?(real_path(name)) }
      known
    end

    def real_path(name) = File.exist?(name) ? File.realpath(name) : File.exist?("#{name}.rb") ? File.realpath("#{name}.rb") : name

    def load_file(path)
      file = [path, "#{path}.rb"].find { |one| Embedded.text(one) || File.file?(one) }
      raise LoadError, "no such file: #{path}" if file.nil?

      before = Object.constants
      if Embedded.text(file)
        Embedded.load(file)
      else
        file = File.realpath(file)
        file.end_with?('.rb', '.so') ? require(file) : load_once(file)
      end
      fresh = Object.constants - before
      own = Object.constants.select { |name| fresh.include?(name) || defined_in?(Object, name, file) }
      main = module_of(File.basename(file, '.*'))
      Loaded.new(File.basename(file), constants_of(own), functions_of(file, main), main)
    end

    def load_once(file)
      return if $LOADED_FEATURES.include?(file)

      load(file)
      $LOADED_FEATURES << file
    end

    def load_library(name)
      before = Object.constants
      require name
      fresh = Object.constants - before
      main = module_of(name)
      fresh = [main.name.to_sym] if main
      Loaded.new(name, constants_of(fresh), functions_of(nil, main), main)
    end

    def defined_in?(scope, name, file)
      place, = scope.const_source_location(name, false)
      !place.nil? && File.expand_path(place) == file
    end

    def constants_of(names) = names.to_h { |name| [name.to_s, Object] }

    # The module that is named after a file or a library, if there is one.
    def module_of(name)
      camel = name.tr('-/', '__').split('_').map { |part| part[0].to_s.upcase + part[1..].to_s }.join
      wanted = [camel, camel.downcase]
      found = Object.constants.find { |one| one.to_s == camel } || Object.constants.find { |one| wanted.include?(one.to_s.downcase) }
      found = found && !Object.autoload?(found) ? Object.const_get(found) : nil
      found if found.is_a?(Module)
    end

    # By name: methods of the top level, which every object has and no other is to see, and of the module.
    def functions_of(file, main)
      functions = {}
      unless main.nil?
        main.singleton_methods.each { |name| functions[name.to_s] = main }
      end
      return functions if file.nil?

      (Object.private_instance_methods(false) + Object.public_instance_methods(false)).each do |name|
        place, = Object.instance_method(name).source_location
        functions[name.to_s] = MAIN if !place.nil? && File.expand_path(place) == file
      end
      MAIN.singleton_methods(false).each do |name|
        place, = MAIN.method(name).source_location
        functions[name.to_s] = MAIN if !place.nil? && File.expand_path(place) == file
      end
      functions
    end

    # Code

    # The value of the last expression; `options['locals']` are names of the code's own.
    def evaluate(code, name, options)
      name = "<eval #{@evaluated += 1}>" if name.empty?
      remember_source(name, code)
      locals = options.is_a?(Hash) ? options['locals'] : nil
      scope = TOPLEVEL_BINDING
      unless locals.nil?
        scope = CLEAN.call
        locals.each { |local, value| scope.local_variable_set(local.to_sym, value) }
      end
      value = scope.eval(code, name, 1)
      options.is_a?(Hash) && options['statements'] ? nil : value
    end

    SOURCES_MAX = 64
    SOURCE_BYTES_MAX = 1 << 20

    def remember_source(name, code)
      @sources.shift if @sources.size >= SOURCES_MAX
      @sources[name] = code.bytesize > SOURCE_BYTES_MAX ? [] : code.lines
    end

    # Line of a file or of code that was evaluated, for traces.
    def line_of(file, number)
      remember_source(file, Embedded.text(file)) if Embedded.text(file) && !@sources.key?(file)
      unless @sources.key?(file)
        readable = File.file?(file) && File.size(file) <= SOURCE_BYTES_MAX
        remember_source(file, readable ? File.read(file, encoding: 'UTF-8').scrub : '')
      end
      line = @sources[file]&.[](number - 1)
      line&.strip
    rescue SystemCallError
      nil
    end

    def describe_guest
      {
        language: 'ruby',
        version: RUBY_VERSION,
        implementation: RUBY_ENGINE,
        executable: as_text(RbConfig.ruby),
        prefix: as_text(RbConfig::CONFIG['prefix']),
        path: $LOAD_PATH.map { |folder| as_text(folder.to_s) },
        platform: RUBY_PLATFORM,
        hasGlobalLock: true
      }
    end
  end
end
